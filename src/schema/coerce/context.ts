import type { Problem } from '../../json/problem.ts';
import type { Reading } from '../../json/read-json.ts';
import type { Marks } from '../../json/reading.ts';
import type { Repair, RepairKind } from '../../json/repair.ts';
import type { JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../types.ts';
import type { Failing } from './failing.ts';
import type { Layout } from './layout.ts';

/** The result of coercing a value. Paths are relative to the value, so that results can be cached. */
export interface Coerced {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** Problems that only coercion detects. */
  readonly problems: readonly Problem[];
  /** Problems that explain a failed validation, but don't count if it passes. */
  readonly hints?: readonly Problem[];
  /** Whether the value is the arguments of another tool, so that there is nothing to validate. */
  readonly foreign?: true;
}

/** State of coercing one call. */
export interface Context extends Layout {
  /** How scalars were written. */
  readonly marks: Marks[];
  /**
   * What was inferred about keys: which object they belong to, or (`keys`) that they are keys. Then no key is dropped,
   * and an undeclared one is a problem.
   */
  readonly nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  readonly known: WeakMap<object, Map<string, Coerced>>;
  /** Coerces a nested value. Passed in to avoid an import cycle. */
  readonly coerce: (context: Context, value: unknown, schema: JsonSchema, place: Place) => Coerced;
  /** Results for scalars in unions by location, because nested unions ask for the same many times. */
  readonly scalars: Map<object | undefined, Map<string, { readonly value: unknown; readonly result: Coerced }>>;
  /** Parsed texts, which each form of a union would parse again. */
  readonly readings: Map<string, Reading>;
  /** Whether the tool writes, so that keys that control how are never dropped. */
  readonly writes: boolean;
  /** Whether the values have no types. */
  readonly untyped: boolean;
  readonly hints: Problem[];
  /** Number of pairs that may still be coerced, which limits hostile schemas. */
  room: number;
  /** Number of key comparisons left. */
  comparisons: number;
  /** Recursion depth, which is limited to protect the stack. */
  depth: number;
}

/** The location of a value, and what its surroundings allow. */
export interface Place {
  /** The container and the key, by which marks are stored. */
  readonly container?: object | undefined;
  readonly key?: string | number | undefined;
  /** Whether keys may be dropped. Not within a union, where no branch may pass by dropping keys. */
  readonly drop: boolean;
  /** Whether only a string (or null) is allowed, so that a number may become one. */
  readonly alone: boolean;
  /** Whether a string is also allowed, so that the text `null` stays text. */
  readonly text: boolean;
  /** Missing keys of outer objects, which a key here may belong to. */
  readonly outside: readonly string[];
  /** Missing keys of objects in which this is the last value, so that even a declared key here may belong to them. */
  readonly late?: readonly string[] | undefined;
  /** Whether one of these accepts any key. */
  readonly open?: boolean | undefined;
  /** Whether it is the item of a list created for it, which must not be wrapped again. */
  readonly wrapped?: boolean | undefined;
  /** The parts that failed, if only those may be coerced. */
  readonly failing?: Failing | undefined;
}

const none: readonly never[] = [];

export const same = (value: unknown): Coerced => ({ value, repairs: none, problems: none });

/** A value that isn't read, because of how it is written. */
export const refusedAs = (
  value: unknown,
  message: string,
  code: 'ambiguous' | 'duplicate_key' | 'type' | 'unsafe_integer' = 'ambiguous',
  received: unknown = value,
): Coerced => ({
  value,
  repairs: [],
  problems: [{ path: [], code, received, message }],
});

/** Why an integer beyond 2^53 is refused. */
export const tooLarge = (literal: string): readonly [message: string, code: 'unsafe_integer'] => [
  `is an integer too large to represent exactly (${literal.slice(0, 40)})`,
  'unsafe_integer',
];

/** A value made from another. */
export const made = (kind: RepairKind, before: unknown, value: unknown): Coerced => ({
  value,
  repairs: [changed(kind, before, value)],
  problems: [],
});

/** An inferred repair of a value. */
export const changed = (kind: RepairKind, before: unknown, after: unknown): Repair => ({
  path: [],
  kind,
  before: before as JsonValue,
  ...(after === undefined ? {} : { after: after as JsonValue }),
  certainty: 'inferred',
});

/** Prefixes the paths of repairs or problems with a key. */
export const under = <T extends Repair | Problem>(key: string | number, found: readonly T[]): T[] =>
  found.map((one) => ({ ...one, path: [key, ...one.path] }));

/** How a scalar was written, if recorded. */
export function markOf(context: Context, { container, key }: Place) {
  if (!container || key === undefined) return undefined;
  return context.marks[0]?.get(container, key);
}
