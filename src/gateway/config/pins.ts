import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pinned } from '../../execute/mcp/catalogue.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';
import type { GivenName, NameMemory } from '../servers/exposed-names.ts';

/** Texts by server and tool. */
type Hashes = Record<string, Record<string, string>>;

/** The content of the file. */
interface Content {
  readonly accepted: Hashes;
  /** Exposed names by kind, server and own name. */
  readonly names?: Readonly<Record<string, Hashes>>;
}

/**
 * The accepted tools of each server, as hashes of their definitions, in a file that you can review and commit. Without
 * a file they are kept in memory.
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
      // Without the file, all tools would count as new, and new tools are accepted.
      throw new ToolmendError(
        'invalid_file',
        `${this.#file}: the accepted definitions can't be read: ${messageOf(error)}. Restore the file, or delete it to accept all current definitions.`,
      );
    }
  }

  /** The accepted tools of a server. */
  of(server: string): Pinned {
    const own = (): Record<string, string> => entry(this.#content.accepted, server) ?? {};
    const self = this;
    return {
      get begun() {
        return Object.hasOwn(self.#content.accepted, server);
      },
      hashOf: (name) => entry(own(), name),
      pin: (name, hash) => {
        if (own()[name] !== hash) this.#put(server, name, hash);
      },
    };
  }

  /** Names of all tools ever accepted from a server. */
  namesOf = (server: string): readonly string[] => Object.keys(entry(this.#content.accepted, server) ?? {});

  /** The names that tools or prompts are exposed under. */
  names(kind: 'tools' | 'prompts'): NameMemory {
    const hashes = (): Hashes => this.#content.names?.[kind] ?? {};
    return {
      get given() {
        return Object.entries(hashes()).flatMap(([server, names]) =>
          Object.entries(names).map(([own, name]) => ({ server, own, name })),
        );
      },
      keep: (names) => {
        const isKnown = ({ server, own, name }: GivenName): boolean =>
          entry(entry(hashes(), server) ?? {}, own) === name;
        if (names.every(isKnown)) return;
        this.#write((content) => {
          let all = content.names?.[kind] ?? {};
          for (const { server, own, name } of names) all = withText(all, server, own, name);
          return { ...content, names: { ...content.names, [kind]: all } };
        });
      },
    };
  }

  #put(server: string, name: string, hash: string): void {
    this.#write((content) => ({ ...content, accepted: withText(content.accepted, server, name, hash) }));
  }

  #write(change: (content: Content) => Content): void {
    this.refresh();
    this.#content = change(this.#content);
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

const entry = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

/** Sets one text. `Object.fromEntries` also handles a tool or server named `__proto__`. */
function withText(all: Hashes, server: string, name: string, text: string): Hashes {
  const inner = Object.fromEntries([...Object.entries(entry(all, server) ?? {}), [name, text]]);
  return Object.fromEntries([...Object.entries(all), [server, inner]]);
}

function parse(text: string): Content {
  const value: unknown = JSON.parse(text);
  const { accepted, names } = isObject(value) ? value : {};
  if (!isHashes(accepted) || !(names === undefined || (isObject(names) && Object.values(names).every(isHashes))))
    throw new ToolmendError('invalid_file', 'it is not a pins file: expected {"accepted": {SERVER: {TOOL: HASH}}}');
  return value as unknown as Content;
}

const isTexts = (one: unknown): boolean =>
  isObject(one) && Object.values(one).every((text) => typeof text === 'string');

const isHashes = (value: unknown): boolean => isObject(value) && Object.values(value).every(isTexts);
