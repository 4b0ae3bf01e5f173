import type { Limits } from './limits.ts';
import type { Path } from './value.ts';

/** Why a parsed value isn't valid JSON, and where. */
export interface InvalidValue {
  readonly path: Path;
  /**
   * `limit` if a limit is exceeded or a key is forbidden, `undefined` for a value that JSON leaves out; otherwise a
   * description of what JSON can't express.
   */
  readonly what: string;
}

/** Checks that a parsed value is JSON, within the limits and without unsafe integers. Undefined if it is. */
export function checkValue(value: unknown, limits: Limits): InvalidValue | undefined {
  const seen = { keys: 0 };
  const path: (string | number)[] = [];
  const what = look(value, limits.depth, limits.keys, seen, path);
  return what === undefined ? undefined : { path: path.reverse(), what };
}

/** Checks recursively within the depth limit, and builds the path to the fault from the inside out. */
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
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
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

/** Whether an object is plain, also from another realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
