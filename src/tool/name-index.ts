import { editDistance } from './edit-distance.ts';
import { foldName, longestName } from './fold-name.ts';
import type { Tool } from './tool.ts';

/** A tool and how far its name is from the one asked for, both folded. */
export interface Near {
  readonly tool: Tool;
  readonly distance: number;
}

interface Entry {
  readonly tool: Tool;
  readonly folded: string;
  /** One bit for each sort of letter: two names differ in at least as many letters as bits are in one mask alone. */
  readonly letters: number;
}

/** Names further apart than this are alike by chance. */
const mostEdits = 3;
/** A word that so many names share says nothing about which was meant. */
const commonWord = 20;

const ownPrefix = /^mcp__(.+?)__(.+)$/i;

/** Finds tools by what a model may have written for their names. Costs nothing until it is asked. */
export class NameIndex {
  readonly #byName: ReadonlyMap<string, Tool>;
  #byFold: Map<string, Set<Tool>> | undefined;
  #byBareName: Map<string, Set<Tool>> | undefined;
  #byLength: Map<number, Entry[]> | undefined;
  #byWord: Map<string, Set<Tool>> | undefined;

  /** Reads `tools` when it is first asked; after that `add` and `remove` keep it up. */
  constructor(tools: ReadonlyMap<string, Tool>) {
    this.#byName = tools;
  }

  add(tool: Tool): void {
    for (const [table, keys] of this.#tables(tool)) for (const key of keys) into(table, key, tool);
    if (this.#byLength) this.#measure(this.#byLength, tool);
  }

  remove(tool: Tool): void {
    for (const [table, keys] of this.#tables(tool)) for (const key of keys) outOf(table, key, tool);
    const ofLength = this.#byLength?.get(foldName(tool.name).length);
    const place = ofLength?.findIndex((entry) => entry.tool === tool) ?? -1;
    if (place >= 0) ofLength?.splice(place, 1);
  }

  exact(name: string): Tool | undefined {
    return this.#byName.get(name);
  }

  /** Every tool whose name is the same but for case, separators and camelCase. */
  folded(name: string): Tool[] {
    const key = foldName(name);
    this.#byFold ??= this.#fill((tool) => [foldName(tool.name)]);
    return key === '' ? [] : [...(this.#byFold.get(key) ?? [])];
  }

  /** Every tool whose own name carries an `mcp__server__` prefix that was not written, or only its server. */
  withoutPrefix(name: string): Tool[] {
    this.#byBareName ??= this.#fill(bareNames);
    return [...(this.#byBareName.get(foldName(name)) ?? [])];
  }

  /** Every tool whose folded name is at most `max` edits away, nearest first. */
  near(name: string, max: number, most = Number.POSITIVE_INFINITY): Near[] {
    const folded = foldName(name);
    if (folded === '' || folded.length > longestName) return [];
    const letters = letterBits(folded);
    const distanceTo = editDistance(folded);
    const found: Near[] = [];
    let bound = max;
    for (let step = 0; step <= bound; step++) {
      for (const length of step === 0 ? [folded.length] : [folded.length - step, folded.length + step]) {
        for (const entry of this.#ofLength(length)) {
          if (apart(letters, entry.letters) > bound) continue;
          const distance = distanceTo(entry.folded, bound);
          if (distance > bound) continue;
          found.push({ tool: entry.tool, distance });
          // Once enough are found only a nearer one is of interest, which spares most of the work among many tools.
          if (found.length >= most) bound = nthDistance(found, most) - 1;
          if (bound < 0) break;
        }
      }
    }
    return found.sort((a, b) => a.distance - b.distance).slice(0, Math.min(most, found.length));
  }

  /** Up to `count` names that may have been meant: first those spelled alike, then those that share a rare word. */
  closest(name: string, count: number): string[] {
    const folded = foldName(name);
    if (folded.length > longestName) return [];
    const alike = this.near(name, Math.min(mostEdits, Math.max(1, Math.floor(folded.length / 3))), count);
    const names = new Set(alike.map(({ tool }) => tool.name));
    if (names.size < count) for (const tool of this.#sharingWords(name)) names.add(tool.name);
    return [...names].slice(0, count);
  }

  #sharingWords(name: string): Tool[] {
    this.#byWord ??= this.#fill((tool) => words(tool.name));
    const shared = new Map<Tool, number>();
    for (const word of words(name)) {
      const tools = this.#byWord.get(word);
      if (!tools || tools.size > commonWord) continue;
      for (const tool of tools) shared.set(tool, (shared.get(tool) ?? 0) + word.length);
    }
    return [...shared].sort((a, b) => b[1] - a[1]).map(([tool]) => tool);
  }

  #ofLength(length: number): readonly Entry[] {
    if (!this.#byLength) {
      this.#byLength = new Map();
      for (const tool of this.#byName.values()) this.#measure(this.#byLength, tool);
    }
    return this.#byLength.get(length) ?? [];
  }

  #measure(byLength: Map<number, Entry[]>, tool: Tool): void {
    const folded = foldName(tool.name);
    const entry = { tool, folded, letters: letterBits(folded) };
    const ofLength = byLength.get(folded.length);
    if (ofLength) ofLength.push(entry);
    else byLength.set(folded.length, [entry]);
  }

  #fill(keysOf: (tool: Tool) => Iterable<string>): Map<string, Set<Tool>> {
    const table = new Map<string, Set<Tool>>();
    for (const tool of this.#byName.values()) for (const key of keysOf(tool)) into(table, key, tool);
    return table;
  }

  #tables(tool: Tool): [Map<string, Set<Tool>>, Iterable<string>][] {
    const tables: [Map<string, Set<Tool>>, Iterable<string>][] = [];
    if (this.#byFold) tables.push([this.#byFold, [foldName(tool.name)]]);
    if (this.#byBareName) tables.push([this.#byBareName, bareNames(tool)]);
    if (this.#byWord) tables.push([this.#byWord, words(tool.name)]);
    return tables;
  }
}

function into(table: Map<string, Set<Tool>>, key: string, tool: Tool): void {
  const tools = table.get(key);
  if (tools) tools.add(tool);
  else table.set(key, new Set([tool]));
}

function outOf(table: Map<string, Set<Tool>>, key: string, tool: Tool): void {
  const tools = table.get(key);
  if (tools?.delete(tool) && tools.size === 0) table.delete(key);
}

function bareNames({ name }: Tool): string[] {
  const [, server, bare] = ownPrefix.exec(name) ?? [];
  return server && bare ? [foldName(bare), foldName(`${server}_${bare}`)].filter((key) => key !== '') : [];
}

/** The words of a name, cut at separators and at the humps of camelCase; shorter than three letters says nothing. */
const words = (name: string): Set<string> =>
  new Set(
    name
      .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= 3),
  );

function letterBits(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits |= 1 << (text.charCodeAt(i) & 31);
  return bits;
}

const apart = (a: number, b: number): number => Math.max(bitCount(a & ~b), bitCount(b & ~a));

function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

const nthDistance = (found: readonly Near[], n: number): number =>
  found.map(({ distance }) => distance).sort((a, b) => a - b)[n - 1] ?? 0;
