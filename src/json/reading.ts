import type { Problem } from './problem.ts';
import type { Repair } from './repair.ts';
import type { JsonValue } from './value.ts';

/** What a text was read as. */
export interface Reading {
  /** Absent where no value was found. */
  readonly value: JsonValue | undefined;
  readonly repairs: readonly Repair[];
  readonly problems: readonly Problem[];
  /** How scalars were written, where the value alone does not say it. */
  readonly marks?: Marks;
  /**
   * `inferred` where a bracket was missing or too many, so that a key may belong to another object; `early` where one too many
   * at the end may have closed an inner object too early; `keys` where only
   * whether something is a key was inferred.
   */
  readonly nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  /** The text before and after the value, where there is any. */
  readonly lead?: string;
  readonly tail?: string;
}

/** By container, whichever reading made it: a call may be made of thousands of texts that were each read. */
const literals = new WeakMap<object, Map<string | number, Mark>>();

/**
 * What the text said beyond its value: how numbers and literals were written, by container and key, so that a string
 * field can get `1.0` or `007` as it came.
 */
export class Marks {
  /** A scalar was met whose schema must say whether it may stand, and the first of them. */
  unsafe = false;
  first: Mark | undefined;

  set(container: object, key: string | number, mark: Mark): void {
    if (mark.unsafe || mark.other || mark.gap || mark.decimal || mark.again) {
      this.unsafe = true;
      this.first ??= mark;
    }
    const known = literals.get(container);
    if (known) known.set(key, mark);
    else literals.set(container, new Map([[key, mark]]));
  }

  get(container: object, key: string | number): Mark | undefined {
    return markAt(container, key);
  }
}

export const markAt = (container: object, key: string | number): Mark | undefined => literals.get(container)?.get(key);

/** Takes a mark away, for a value that is given again. */
export function takeMark(container: object, key: string | number): Mark | undefined {
  const mark = markAt(container, key);
  literals.get(container)?.delete(key);
  return mark;
}

/** How a number or truth value stands in the text; undefined for all else. */
export const literalOf = (value: unknown, mark: Mark | undefined): string | undefined =>
  typeof value === 'number' || typeof value === 'boolean' ? (mark?.literal ?? String(value)) : undefined;

/** Marks what two equal values hold as the same number written in two ways (`3.1` and `3.10`), which are two texts. */
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
  /** An integer past 2^53, held as its literal text. */
  readonly unsafe?: true;
  /** It is held as text for its leading zeros instead. */
  readonly zeros?: true;
  /** It is a number in a notation that text may have as well (`+49`, `0x1F`). */
  readonly other?: true;
  /** It stands behind another on its line without a comma, or before a comment: it may be a part of text. */
  readonly gap?: true;
  /** With the number before it, from which no comma parts it, it may have decimals behind a comma (`1,5 2,5`). */
  readonly decimal?: true;
  /** It is given again, as the same number written in another way. */
  readonly again?: string;
}

/** Why a number that may be text is refused where both fit. */
export const mayBeText = (literal: string): string =>
  `may be text or a number as it is written; write "${literal}" or the plain number`;
