import type { Limits } from './limits.ts';
import type { Path } from './value.ts';

/** Why a value that somebody parsed can't be taken as JSON: where, and what stands there. */
export interface InvalidValue {
  readonly path: Path;
  /** `limit` for what is too deep, too much, too large or forbidden; else a word for what JSON can't hold. */
  readonly what: string;
}

/** Looks a parsed value over: is it JSON, within the limits, with every integer whole? Undefined where it is. */
export function checkValue(value: unknown, limits: Limits): InvalidValue | undefined {
  const seen = { keys: 0 };
  const path: (string | number)[] = [];
  const what = look(value, limits.depth, limits.keys, seen, path);
  return what === undefined ? undefined : { path: path.reverse(), what };
}

/** What is wrong, with the path to it left behind from the inside out; recursion stays within the depth limit. */
function look(
  value: unknown,
  room: number,
  most: number,
  seen: { keys: number },
  path: (string | number)[],
): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? (isKept(value) ? undefined : 'limit') : 'a number that is not finite';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (room === 0) return 'limit';
  if (!Array.isArray(value) && !isPlain(value)) return `a ${value.constructor?.name ?? 'special object'}`;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (typeof key === 'string' && (++seen.keys > most || key === '__proto__')) return 'limit';
    const inner = (value as Record<string | number, unknown>)[key];
    const wrong = look(inner, room - 1, most, seen, path);
    if (wrong === undefined) continue;
    path.push(key);
    return wrong;
  }
  return undefined;
}

const isKept = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);

/** An object literal or one without a prototype, of this realm or another. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
