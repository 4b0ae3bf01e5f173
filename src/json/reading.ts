import type { Problem } from './problem.ts';
import type { Repair } from './repair.ts';
import { cached } from './text-cache.ts';
import { readScalar } from './tolerant/scalars.ts';
import { hasOwn, isObject, type JsonValue } from './value.ts';

/** The result of reading a text. */
export interface Reading {
  /** Undefined if no value was found. */
  readonly value: JsonValue | undefined;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
  /** How scalars were written, if the value doesn't show it. */
  readonly marks?: Marks;
  /**
   * `inferred` if a bracket was missing or superfluous, so that a key may belong to another object. `early` if a
   * superfluous one at the end may have closed an inner object too early. `keys` if only whether something is a key was
   * inferred.
   */
  readonly nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  /** The text before and after the value, if there is any. */
  readonly lead?: string;
  readonly tail?: string;
}

/** Objects and lists whose closing bracket is missing in their text. */
export const unclosed: WeakSet<object> = new WeakSet();

/** Lists with words without quotes (`[TBD]`). */
export const wordLists: WeakSet<object> = new WeakSet();

/** Marks by container, across readings: a call may consist of thousands of texts that are read separately. */
const literals = new WeakMap<object, Map<string | number, Mark>>();

/**
 * How numbers and literals were written, by container and key, so that a string field can get `1.0` or `007` as
 * written.
 */
export class Marks {
  /** Whether there was a scalar that only the schema can validate, and the first of them. */
  unsafe = false;
  first: Mark | undefined;

  set(container: object, key: string | number, mark: Mark): void {
    if (mark.fraction || mark.pieces || mark.nothing) this.unsafe = true;
    if (mark.unsafe || mark.other || mark.gap || mark.decimal || mark.again) {
      this.unsafe = true;
      this.first ??= mark;
    }
    cached(literals, container, () => new Map()).set(key, mark);
  }

  get(container: object, key: string | number): Mark | undefined {
    return markAt(container, key);
  }
}

/** Values that were read as part of a text, and are checked on their own. */
const parts = new WeakSet<object>();

/** Keeps how the scalars of a value are written for its check, which doesn't see the text. */
export const keepWritten = (value: unknown): void => void (isObject(value) && parts.add(value));

/** How the scalars of a value that was read as part of a text are written. A scalar that was changed since has no mark. */
export const writtenIn = (value: unknown): Marks | undefined =>
  isObject(value) && parts.has(value) ? marksIn(value, undefined) : undefined;

function marksIn(value: unknown, found: Marks | undefined): Marks | undefined {
  if (typeof value !== 'object' || value === null) return found;
  let marks = found;
  for (const [key, item] of Object.entries(value)) {
    const place = Array.isArray(value) ? Number(key) : key;
    const mark = markAt(value, place);
    if (mark && (mark.pieces || item === mark.literal || item === readScalar(mark.literal)?.value)) {
      marks ??= new Marks();
      marks.set(value, place, mark);
    } else if (mark) takeMark(value, place);
    marks = marksIn(item, marks);
  }
  return marks;
}

export const markAt = (container: object, key: string | number): Mark | undefined => literals.get(container)?.get(key);

/** Copies the marks of an object to another with some of its fields. */
export function keepMarks(from: object, to: object): void {
  const known = literals.get(from);
  if (known) literals.set(to, new Map([...known].filter(([key]) => hasOwn(to, key))));
}

/** Removes and returns a mark, for a key that is repeated. */
export function takeMark(container: object, key: string | number): Mark | undefined {
  const mark = markAt(container, key);
  literals.get(container)?.delete(key);
  return mark;
}

/** How a number or boolean is written in the text; undefined for other values. */
export const literalOf = (value: unknown, mark: Mark | undefined): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? (mark?.literal ?? String(value)) : undefined;

/** Marks equal numbers in two values that are written differently (`3.1` and `3.10`), because they differ as text. */
export function markRepeated(
  [first, key]: readonly [object, string | number],
  [second, name]: readonly [object, string | number],
  note: (container: object, key: string | number, mark: Mark) => void,
): void {
  const one = (first as Record<string | number, unknown>)[key];
  const other = (second as Record<string | number, unknown>)[name];
  const mark = markAt(first, key);
  const literal = literalOf(one, mark);
  const again = literalOf(other, markAt(second, name));
  if (literal !== again && literal !== undefined && again !== undefined) note(first, key, { ...mark, literal, again });
  if (typeof one !== 'object' || one === null || one === other) return;
  for (const inner of Array.isArray(one) ? one.keys() : Object.keys(one))
    markRepeated([one, inner], [other as object, inner], note);
}

export interface Mark {
  /** The scalar as written. */
  readonly literal: string;
  /** An integer beyond 2^53, stored as its literal text. */
  readonly unsafe?: true;
  /** Stored as text because of its leading zeros. */
  readonly zeros?: true;
  /** A number in a notation that may also be text (`+49`, `0x1F`). */
  readonly other?: true;
  /** Follows another scalar on its line without a comma, or precedes a comment, so that it may be part of a text. */
  readonly gap?: true;
  /** Together with the previous number, it may have a decimal comma (`1,5 2,5`). */
  readonly decimal?: true;
  /** A decimal whose value is an integer because it is rounded: a number, but never an integer. */
  readonly fraction?: true;
  /** A string of adjacent ones, which may lack commas if it is a list. */
  readonly pieces?: true;
  /** A word without quotes that may stand for null, and whether the text is one that quotes its strings. */
  readonly nothing?: { readonly quoted: boolean };
  /** The other way the same number is written. */
  readonly again?: string;
}

export const gotDecimal = 'expected integer, got a decimal';
export const twoStrings = 'has two strings; write one string, or put a comma between them';

/** Why a number that may be text is refused if both are valid. */
export const mayBeText = (literal: string): string =>
  `may be text or a number as it is written; write "${literal}" or the plain number`;
