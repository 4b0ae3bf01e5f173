import type { Path, Repair, RepairKind } from '../../src/index.ts';
import { type Mark, pathOf } from './mark.ts';
import { type Spot, scanLoosely } from './scan-loosely.ts';

/** A range of the text with its marks. */
export interface Placed {
  readonly start: number;
  readonly end: number;
  readonly marks: readonly Mark[];
}

/** Where to show a repair: at the key, after the value, or at the end. By default at the value. */
const places: Readonly<Partial<Record<RepairKind, 'key' | 'after' | 'end'>>> = {
  key: 'key',
  colon: 'key',
  comma: 'after',
  closer: 'end',
};

/** Kinds whose `before` is a piece of the text. */
const pieces: readonly RepairKind[] = ['fence', 'prose', 'reasoning', 'token', 'comment', 'quote', 'literal', 'number'];

/** Finds the location of each mark in model output. Marks without one are returned in `left`. */
export function placeMarks(text: string, marks: readonly Mark[]): { placed: Placed[]; left: Mark[] } {
  const spots = scanLoosely(text);
  const byPath = new Map(spots.map((spot) => [JSON.stringify(spot.path), spot]));
  const find = (path: Path): Spot | undefined =>
    // If a wrapper was removed, the path is the end of the path in the text.
    byPath.get(JSON.stringify(path)) ?? spots.find((spot) => path.length > 0 && endsWith(spot.path, path));
  const at = new Map<string, Mark[]>();
  const left: Mark[] = [];
  for (const mark of marks) {
    const range = mark.type === 'repair' ? rangeOfRepair(text, mark.repair, find) : rangeOfProblem(pathOf(mark), find);
    if (!range) left.push(mark);
    else at.set(String(range), [...(at.get(String(range)) ?? []), mark]);
  }
  const placed = [...at].map(([range, marks]) => {
    const [start = 0, end = 0] = range.split(',').map(Number);
    return { start, end, marks };
  });
  return { placed: placed.sort((a, b) => a.start - b.start || b.end - a.end), left };
}

type Range = readonly [start: number, end: number];

const endsWith = (path: Path, tail: Path): boolean =>
  path.length >= tail.length && tail.every((step, index) => step === path[path.length - tail.length + index]);

/**
 * The location of a value. If it is missing, the position before the closing bracket of its parent. Problems of the
 * root are shown above.
 */
function rangeOfProblem(path: Path, find: (path: Path) => Spot | undefined): Range | undefined {
  if (path.length === 0) return undefined;
  const spot = find(path);
  if (spot) return [spot.start, spot.end];
  const around = find(path.slice(0, -1));
  return around && [around.end - 1, around.end - 1];
}

function rangeOfRepair(text: string, repair: Repair, find: (path: Path) => Spot | undefined): Range | undefined {
  const { path, kind, before } = repair;
  const written = kind === 'key' && typeof before === 'string' ? [...path.slice(0, -1), before] : path;
  const spot = path.length > 0 ? find(written) : undefined;
  const place = places[kind];
  if (place === 'end') return [text.length, text.length];
  if (spot && place === 'key') return spot.key;
  if (spot && place === 'after') return text[spot.end] === ',' ? [spot.end, spot.end + 1] : [spot.end, spot.end];
  if (typeof before === 'string' && before && pieces.includes(kind)) {
    const from = spot ? (spot.key?.[0] ?? spot.start) : 0;
    // The recorded text may be shortened.
    const start = text.indexOf(before.replace(/…[^…]*$/, ''), from);
    // A single quote matches anywhere, so the value is marked instead.
    if (start >= 0 && before.length > 1) return [start, start + before.length];
  }
  return spot && [spot.start, spot.end];
}
