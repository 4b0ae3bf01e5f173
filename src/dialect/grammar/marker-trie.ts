import type { Pattern } from './pattern.ts';

/** The markers that are valid in one state of the reader, indexed by their first characters. */
export interface MarkerSet<T> {
  /** Which ASCII characters start a marker; others are looked up in the tree. */
  readonly first: Uint8Array;
  readonly root: Branch<T>;
}

/** Markers that start with the same characters. */
export interface Branch<T> {
  readonly depth: number;
  readonly next: ReadonlyMap<number, Branch<T>>;
  /** Markers whose first characters all match. */
  readonly fit: readonly T[];
  /** Also markers that need more characters. */
  readonly all: readonly T[];
}

type Entry<T> = readonly [key: string, marker: T];

const plain = 128;

/** Creates a set of markers. */
export function markerSetOf<T extends { readonly pattern: Pattern }>(markers: readonly T[]): MarkerSet<T> {
  const root = branchOf(
    markers.flatMap((marker) => keysOf(marker.pattern).map((key) => [key, marker] as const)),
    0,
  );
  return { root, first: Uint8Array.from({ length: plain }, (_, code) => (root.next.has(code) ? 1 : 0)) };
}

/** What a pattern starts with: its literal, or each possible first character. */
function keysOf({ head, keys, whole }: Pattern): readonly string[] {
  if (keys[0]) return keys;
  if (head[0]) return [head[0]];
  return whole.source.startsWith('(?=') ? ['{', '['] : [];
}

/** All possible first characters of these patterns. */
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

/** The next offset where a marker may start; the end of the text if there is none. */
export function nextMarker<T>({ first, root }: MarkerSet<T>, text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < plain ? first[code] === 1 : root.next.has(code)) return at;
  }
  return text.length;
}

/** The markers that may start at an offset. */
export function markersAt<T>(set: MarkerSet<T>, text: string, at: number): readonly T[] {
  const branch = branchAt(set, text, at);
  return isOpen(branch, text, at) ? branch.all : branch.fit;
}

/** The branch for the characters at an offset. */
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

/** Whether the text ends before all markers could be compared. */
export const isOpen = <T>({ depth, next }: Branch<T>, text: string, at: number): boolean =>
  next.size > 0 && at + depth === text.length;

/**
 * A state in which nothing is buffered and most characters are irrelevant: in text, reasoning or a long value. A chunk
 * without any of `stops` is passed on unchanged, and read later with others.
 */
export interface StopChars {
  /** What an irrelevant chunk is; `undecided` if it doesn't decide about buffered text either. */
  readonly says: 'text' | 'reasoning' | 'arguments' | 'nothing' | 'undecided';
  /** ASCII characters that must be read. */
  readonly stops: Uint8Array;
  /** Other characters that must be read. */
  readonly wide: ReadonlySet<number>;
  /** The markers that they start; without a start of one, a chunk is irrelevant too. */
  readonly markers?: MarkerSet<unknown>;
}

/** Whether a chunk is irrelevant. */
export function isQuiet({ stops, wide, markers }: StopChars, piece: string): boolean {
  for (let at = 0; at < piece.length; at++) {
    const code = piece.charCodeAt(at);
    if (code < stops.length ? stops[code] === 1 : wide.size > 0 && wide.has(code))
      if (!markers || mayStart(markers, piece, at)) return false;
  }
  return true;
}

/** Whether a marker may start at an offset, as far as its first characters tell. */
function mayStart<T>(set: MarkerSet<T>, text: string, at: number): boolean {
  const branch = branchAt(set, text, at);
  return branch.fit.length > 0 || isOpen(branch, text, at);
}

const made = new Map<string, StopChars>();

/** The state for these characters, cached because there are few. */
export function stopCharsFor(says: StopChars['says'], chars: string): StopChars {
  const key = `${says} ${chars}`;
  const known = made.get(key);
  if (known) return known;
  const codes = new Set([...chars].map((char) => char.charCodeAt(0)));
  const stops = Uint8Array.from({ length: 128 }, (_, code) => (codes.has(code) ? 1 : 0));
  const rest = { says, stops, wide: new Set([...codes].filter((code) => code >= stops.length)) };
  if (made.size > 200) made.clear();
  made.set(key, rest);
  return rest;
}
