import { cached } from '../json/text-cache.ts';
import { editDistance, oneEdit } from '../schema/closest-key.ts';
import { wordsOf } from '../schema/coerce/fold-key.ts';
import type { Tool } from './tool.ts';

/** A tool, and the edit distance of its name, both normalized. */
interface Near {
  readonly tool: Tool;
  readonly distance: number;
}

interface Entry {
  readonly tool: Tool;
  readonly folded: string;
  /** One bit per kind of letter: two names differ in at least as many letters as bits are set in only one mask. */
  readonly letters: number;
}

/** The keys of a tool in one table. */
type KeysOf = (entry: Entry) => Iterable<string | number>;
type Table = Map<string | number, Set<Entry>>;

/** Names further apart are similar by chance. */
const mostEdits = 3;
/** A word that this many names share is too common to help. */
const commonWord = 20;

const ownPrefix = /^mcp__(.+?)__(.+)$/i;
const afterServer = /^([\w.-]+)::?(\p{L}.*)$/su;

const byFold: KeysOf = ({ folded }) => [folded];
const byLength: KeysOf = ({ folded }) => [folded.length];
const byWord: KeysOf = ({ tool }) => words(tool.name);
const byBareName: KeysOf = ({ tool }) => {
  const [, prefix, bare] = ownPrefix.exec(tool.name) ?? [];
  const known = tool.server === undefined ? [] : [foldName(`${tool.server}_${tool.name}`)];
  return prefix && bare ? [foldName(bare), foldName(`${prefix}_${bare}`), ...known] : known;
};

/** Finds tools by what a model may have written. Each table is created on first use. */
export class NameIndex {
  readonly #entries = new Map<Tool, Entry>();
  readonly #tables = new Map<KeysOf, Table>();

  add(tool: Tool): void {
    const folded = foldName(tool.name);
    const entry = { tool, folded, letters: letterBits(folded) };
    this.#entries.set(tool, entry);
    for (const [keysOf, table] of this.#tables) put(table, entry, keysOf);
  }

  remove(tool: Tool): void {
    const entry = this.#entries.get(tool);
    if (!entry) return;
    this.#entries.delete(tool);
    for (const [keysOf, table] of this.#tables) for (const key of keysOf(entry)) table.get(key)?.delete(entry);
  }

  /** Tools whose name is equal except for case, separators and camelCase. */
  folded(name: string): Tool[] {
    return this.#found(byFold, foldName(name));
  }

  /** Tools with an `mcp__server__` prefix that wasn't written, or with only the server written, also before a colon. */
  withoutPrefix(name: string): Tool[] {
    const [, server = '', bare] = afterServer.exec(name) ?? [];
    if (bare === undefined) return this.#found(byBareName, foldName(name));
    const wanted = foldName(server);
    return this.#found(byBareName, foldName(`${server}_${bare}`)).filter(
      (tool) => foldName(tool.server ?? ownPrefix.exec(tool.name)?.[1] ?? '') === wanted,
    );
  }

  /** Tools whose normalized name is one edit or two swapped letters away. */
  oneEditAway(name: string): Tool[] {
    const folded = foldName(name);
    if (folded === '' || folded.length > longestName) return [];
    const letters = letterBits(folded);
    return [-1, 0, 1].flatMap((more) =>
      [...(this.#table(byLength).get(folded.length + more) ?? [])]
        .filter((entry) => bitCount(letters ^ entry.letters) <= 2 && oneEdit(folded, entry.folded) !== undefined)
        .map(({ tool }) => tool),
    );
  }

  /** Tools whose normalized name is at most `max` edits away, nearest first. */
  near(name: string, max: number): Near[] {
    const folded = foldName(name);
    if (folded === '' || folded.length > longestName) return [];
    const letters = letterBits(folded);
    const found: Near[] = [];
    for (let length = folded.length - max; length <= folded.length + max; length++) {
      for (const entry of this.#table(byLength).get(length) ?? []) {
        if (bitCount(letters & ~entry.letters) > max || bitCount(entry.letters & ~letters) > max) continue;
        const distance = editDistance(folded, entry.folded, max);
        if (distance <= max) found.push({ tool: entry.tool, distance });
      }
    }
    return found.sort((a, b) => a.distance - b.distance);
  }

  /** Up to `count` suggestions: similarly spelled names first, then names that share a rare word. */
  closest(name: string, count: number): string[] {
    const { length } = foldName(name);
    if (length > longestName) return [];
    const alike = this.near(name, Math.min(mostEdits, Math.max(1, Math.floor(length / 3))));
    const names = new Set(alike.map(({ tool }) => tool.name));
    if (names.size < count) for (const tool of this.#sharingWords(name)) names.add(tool.name);
    return [...names].slice(0, count);
  }

  #sharingWords(name: string): Tool[] {
    const shared = new Map<Tool, number>();
    for (const word of words(name)) {
      const tools = this.#found(byWord, word);
      if (tools.length <= commonWord) for (const tool of tools) shared.set(tool, (shared.get(tool) ?? 0) + word.length);
    }
    return [...shared].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
  }

  #found(keysOf: KeysOf, key: string): Tool[] {
    return key === '' ? [] : [...(this.#table(keysOf).get(key) ?? [])].map(({ tool }) => tool);
  }

  #table(keysOf: KeysOf): Table {
    return cached(this.#tables, keysOf, () => {
      const table: Table = new Map();
      for (const entry of this.#entries.values()) put(table, entry, keysOf);
      return table;
    });
  }
}

function put(table: Table, entry: Entry, keysOf: KeysOf): void {
  for (const key of keysOf(entry)) cached(table, key, () => new Set()).add(entry);
}

/** The words of a name, split at separators and in camelCase, with at least three letters. */
const words = (name: string): Set<string> =>
  new Set(
    wordsOf(name)
      .split(' ')
      .filter((word) => word.length >= 3),
  );

function letterBits(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

const invisible = /[\p{Cc}\p{Cf}]/gu;
const betweenDigits = /(?<=\p{N})[\s_./-]+(?=\p{N})/gu;
/** A sign before a word isn't a separator: `-delete_file` doesn't mean `delete_file`. */
const sign = /^[\s._]*-|(?<=[\s._])-(?=[\p{L}\p{N}])/gu;
const separators = /[\s./-]+|_+(?!\p{N})|(?<!\p{N})_+/gu;

/** Longer names are only compared exactly. */
export const longestName = 256;

/**
 * Normalizes a name: without case, camelCase and the separators `_ - . /` and space. A separator between digits becomes
 * `_`, because `v1_0` and `v10` are two versions.
 */
export function foldName(name: string): string {
  if (/^[a-z0-9]+$/.test(name)) return name;
  const visible = /^[\x20-\x7e]+$/.test(name) ? name : name.normalize('NFC').replace(invisible, '');
  const signed = visible.includes('-') ? visible.replace(betweenDigits, '_').replace(sign, '\0') : visible;
  return signed.replace(betweenDigits, '_').replace(separators, '').replace(/\0/g, '-').toLowerCase();
}
