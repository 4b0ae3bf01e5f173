import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Pinned } from '../../execute/mcp/catalogue.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject } from '../../json/value.ts';

type Hashes = Record<string, Record<string, string>>;

/**
 * The accepted tools of each server, as hashes of their definitions, in a file that you can review and commit. Without
 * a file they are kept in memory.
 */
export class Pins {
  readonly #file: string | undefined;
  readonly #complain: (message: string) => void;
  #hashes: Hashes = {};

  constructor(file?: string, complain: (message: string) => void = () => {}) {
    this.#file = file;
    this.#complain = complain;
    this.refresh();
  }

  /** Reloads the file, because another process may have accepted tools. */
  refresh(): void {
    if (this.#file === undefined) return;
    try {
      this.#hashes = parse(readFileSync(this.#file, 'utf8'));
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
    const own = (): Record<string, string> => (Object.hasOwn(this.#hashes, server) ? (this.#hashes[server] ?? {}) : {});
    const self = this;
    return {
      get begun() {
        return Object.hasOwn(self.#hashes, server);
      },
      hashOf: (name) => (Object.hasOwn(own(), name) ? own()[name] : undefined),
      pin: (name, hash) => {
        if (own()[name] !== hash) this.#put(server, name, hash);
      },
    };
  }

  /** Names of all tools ever accepted from a server. */
  namesOf = (server: string): readonly string[] => Object.keys(this.#hashes[server] ?? {});

  #put(server: string, name: string, hash: string): void {
    this.refresh();
    const before = Object.hasOwn(this.#hashes, server) ? this.#hashes[server] : {};
    // `Object.fromEntries` also handles a tool named `__proto__`.
    this.#hashes = { ...this.#hashes, [server]: Object.fromEntries([...Object.entries(before ?? {}), [name, hash]]) };
    if (this.#file === undefined) return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      const fresh = `${this.#file}.${process.pid}`;
      writeFileSync(fresh, `${JSON.stringify({ accepted: this.#hashes }, null, 2)}\n`);
      renameSync(fresh, this.#file);
    } catch (error) {
      this.#complain(`${this.#file}: the accepted definitions can't be saved: ${messageOf(error)}`);
    }
  }
}

function parse(text: string): Hashes {
  const value: unknown = JSON.parse(text);
  const accepted = isObject(value) ? value.accepted : undefined;
  const isHashes = (one: unknown): boolean =>
    isObject(one) && Object.values(one).every((hash) => typeof hash === 'string');
  if (!isObject(accepted) || !Object.values(accepted).every(isHashes))
    throw new ToolmendError('invalid_file', 'it is not a pins file: expected {"accepted": {SERVER: {TOOL: HASH}}}');
  return accepted as Hashes;
}
