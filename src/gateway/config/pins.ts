import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pinned } from '../../execute/mcp/catalogue.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';
import type { NameMemory, StoredName } from '../servers/exposed-names.ts';

/** Entries by server and own name. */
type Table<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** What was accepted from each server. */
interface Section {
  /** Hashes of the accepted definitions. */
  readonly accepted: Table<string>;
  /** The accepted definitions, to show what changed. */
  readonly definitions?: Table<unknown>;
  /** Hashes of the definitions that a person was shown last. */
  readonly shown?: Table<string>;
}

/** What servers list, and what can be accepted. */
export type PinnedKind = 'tools' | 'prompts' | 'texts' | 'resources' | 'instructions';

/** The content of the file. Tools are at the top level. */
interface Content extends Section, Partial<Readonly<Record<Exclude<PinnedKind, 'tools'>, Section>>> {
  /** Exposed names by kind, server and own name. */
  readonly names?: Readonly<Record<string, Table<string>>>;
}

/** Accepted definitions, and those that a person has been shown. */
export interface Reviewed extends Pinned {
  /** The accepted definition, if it is known. */
  definitionOf(name: string): unknown;
  /** Hash of the definition that a person was shown last. */
  shownHash(name: string): string | undefined;
  show(name: string, hash: string): void;
  /** Names of everything that was accepted. */
  readonly names: readonly string[];
}

/**
 * The accepted definitions of each server, in a file that you can review and commit. Without a file they are kept in
 * memory.
 */
export class Pins {
  readonly #file: string | undefined;
  readonly #complain: (message: string) => void;
  #content: Content = { accepted: {} };

  constructor(file?: string, complain: (message: string) => void = () => {}) {
    this.#file = file;
    this.#complain = complain;
    this.refresh();
  }

  /** Reloads the file, because another process may have accepted tools. */
  refresh(): void {
    if (this.#file === undefined) return;
    try {
      this.#content = parse(readFileSync(this.#file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      // Without the file, all tools would count as new, and the first tools of a server are accepted.
      throw new ToolmendError(
        'invalid_file',
        `${this.#file}: the accepted definitions can't be read: ${messageOf(error)}. Restore the file, or delete it to accept all current definitions.`,
      );
    }
  }

  /** What was accepted from a server. */
  of(server: string, kind: PinnedKind = 'tools'): Reviewed {
    const section = (): Section => this.#section(kind);
    const hashOf = (name: string): string | undefined => entry(entry(section().accepted, server), name);
    const definitionOf = (name: string): unknown => entry(entry(section().definitions, server), name);
    return {
      get begun() {
        return Object.hasOwn(section().accepted, server);
      },
      get names() {
        return Object.keys(entry(section().accepted, server) ?? {});
      },
      hashOf,
      definitionOf,
      shownHash: (name) => entry(entry(section().shown, server), name),
      pin: (all) => {
        const isKnown = ({ name, hash }: { readonly name: string; readonly hash: string }): boolean =>
          hashOf(name) === hash && definitionOf(name) !== undefined;
        if (Object.hasOwn(section().accepted, server) && all.every(isKnown)) return;
        this.#write(kind, ({ accepted, definitions, ...rest }) => ({
          ...rest,
          accepted: withEntries(
            accepted,
            server,
            all.map(({ name, hash }) => [name, hash]),
          ),
          definitions: withEntries(
            definitions,
            server,
            all.map(({ name, definition }) => [name, definition]),
          ),
        }));
      },
      show: (name, hash) =>
        this.#write(kind, (known) => ({ ...known, shown: withEntries(known.shown, server, [[name, hash]]) })),
    };
  }

  /** Names of all tools ever accepted from a server. */
  namesOf = (server: string): readonly string[] => Object.keys(entry(this.#content.accepted, server) ?? {});

  /** The names that tools or prompts are exposed under. */
  names(kind: 'tools' | 'prompts'): NameMemory {
    const table = (): Table<string> => this.#content.names?.[kind] ?? {};
    return {
      get given() {
        return Object.entries(table()).flatMap(([server, names]) =>
          Object.entries(names).map(([own, name]) => ({ server, own, name })),
        );
      },
      keep: (names) => {
        const isKnown = ({ server, own, name }: StoredName): boolean => entry(entry(table(), server), own) === name;
        if (names.every(isKnown)) return;
        this.refresh();
        let all = table();
        for (const { server, own, name } of names) all = withEntries(all, server, [[own, name]]);
        this.#content = { ...this.#content, names: { ...this.#content.names, [kind]: all } };
        this.#save();
      },
    };
  }

  #section = (kind: PinnedKind): Section =>
    kind === 'tools' ? this.#content : (this.#content[kind] ?? { accepted: {} });

  #write(kind: PinnedKind, change: (section: Section) => Section): void {
    this.refresh();
    const section = change(this.#section(kind));
    this.#content = kind === 'tools' ? { ...this.#content, ...section } : { ...this.#content, [kind]: section };
    this.#save();
  }

  #save(): void {
    if (this.#file === undefined) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      const fresh = `${this.#file}.${process.pid}`;
      writeFileSync(fresh, `${JSON.stringify(this.#content, null, 2)}\n`);
      renameSync(fresh, this.#file);
    } catch (error) {
      this.#complain(`${this.#file}: the accepted definitions can't be saved: ${messageOf(error)}`);
    }
  }
}

const entry = <T>(all: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  all && Object.hasOwn(all, name) ? all[name] : undefined;

/** Sets entries of a server. `Object.fromEntries` also handles a tool or server named `__proto__`. */
function withEntries<T>(
  all: Table<T> | undefined,
  server: string,
  entries: readonly (readonly [string, T])[],
): Table<T> {
  const inner = Object.fromEntries([...Object.entries(entry(all, server) ?? {}), ...entries]);
  return Object.fromEntries([...Object.entries(all ?? {}), [server, inner]]);
}

function parse(text: string): Content {
  const value: unknown = JSON.parse(text);
  const { names, prompts, texts, resources, instructions } = isObject(value) ? value : {};
  const sections = [prompts, texts, resources, instructions].filter((one) => one !== undefined);
  const areNames = names === undefined || (isObject(names) && Object.values(names).every(isTable));
  if (![value, ...sections].every(isSection) || !areNames)
    throw new ToolmendError('invalid_file', 'it is not a pins file: expected {"accepted": {SERVER: {TOOL: HASH}}}');
  return value as unknown as Content;
}

const isSection = (value: unknown): boolean =>
  isObject(value) &&
  isTable(value.accepted) &&
  (value.shown === undefined || isTable(value.shown)) &&
  (value.definitions === undefined ||
    (isObject(value.definitions) && Object.values(value.definitions).every(isObject)));

const isTable = (value: unknown): boolean =>
  isObject(value) &&
  Object.values(value).every((one) => isObject(one) && Object.values(one).every((text) => typeof text === 'string'));
