import type { Pattern } from './pattern.ts';

/** Markers that may stand in one state of the reader, found by their first characters. */
export interface MarkerSet<T> {
  /** Which characters begin a marker; those past the table are looked up in the tree. */
  readonly first: Uint8Array;
  readonly root: Branch<T>;
}

/** The markers that begin with the same characters. */
export interface Branch<T> {
  readonly depth: number;
  readonly next: ReadonlyMap<number, Branch<T>>;
  /** Those whose first characters are all here. */
  readonly fit: readonly T[];
  /** Those too of which more would have to come. */
  readonly all: readonly T[];
}

type Entry<T> = readonly [key: string, marker: T];

const plain = 128;

/** Makes markers ready to be found. */
export function markerSetOf<T extends { readonly pattern: Pattern }>(markers: readonly T[]): MarkerSet<T> {
  const root = branchOf(
    markers.flatMap((marker) => keysOf(marker.pattern).map((key) => [key, marker] as const)),
    0,
  );
  return { root, first: Uint8Array.from({ length: plain }, (_, code) => (root.next.has(code) ? 1 : 0)) };
}

/** What a pattern begins with: its literal, or each character that may stand first. */
function keysOf({ head, keys, whole }: Pattern): readonly string[] {
  if (keys[0]) return keys;
  if (head[0]) return [head[0]];
  return whole.source.startsWith('(?=') ? ['{', '['] : [];
}

/** Every character that one of these patterns may begin with. */
export const firstsOf = (patterns: readonly Pattern[]): string =>
  patterns.flatMap((pattern) => keysOf(pattern).map(([char]) => char as string)).join('');

function branchOf<T>(entries: readonly Entry<T>[], depth: number): Branch<T> {
  const next = new Map<number, Branch<T>>();
  const fit: T[] = [];
  for (const [key, marker] of entries) {
    const code = key.charCodeAt(depth);
    if (key.length <= depth) fit.push(marker);
    else if (!next.has(code)) {
      const same = entries.filter(([other]) => other.length <= depth || other.charCodeAt(depth) === code);
      next.set(code, branchOf(same, depth + 1));
    }
  }
  return { depth, next, fit, all: entries.map(([, marker]) => marker) };
}

/** The first place from one on where a marker may begin; the end of the text where there is none. */
export function nextMarker<T>({ first, root }: MarkerSet<T>, text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < plain ? first[code] === 1 : root.next.has(code)) return at;
  }
  return text.length;
}

/** The markers that may begin at a place, by the characters there. */
export function markersAt<T>(set: MarkerSet<T>, text: string, at: number): readonly T[] {
  const branch = branchAt(set, text, at);
  return isOpen(branch, text, at) ? branch.all : branch.fit;
}

/** How far the characters at a place lead. */
export function branchAt<T>({ root }: MarkerSet<T>, text: string, from: number): Branch<T> {
  let branch = root;
  for (let at = from; at < text.length; at++) {
    const next = branch.next.get(text.charCodeAt(at));
    if (!next) return branch;
    branch = next;
    if (branch.next.size === 0) return branch;
  }
  return branch;
}

/** Whether the text ends before the characters of every marker could be compared. */
export const isOpen = <T>({ depth, next }: Branch<T>, text: string, at: number): boolean =>
  next.size > 0 && at + depth === text.length;
