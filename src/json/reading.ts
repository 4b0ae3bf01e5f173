import type { Marks } from './marks.ts';
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
