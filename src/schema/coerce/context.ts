import type { Problem } from '../../json/problem.ts';
import type { Reading } from '../../json/read-json.ts';
import type { Marks } from '../../json/reading.ts';
import type { Repair, RepairKind } from '../../json/repair.ts';
import type { JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../types.ts';
import type { Failing } from './failing.ts';
import type { Layout } from './layout.ts';

/** What coercing one value came to; paths are relative to that value, so that a result can be kept and used again. */
export interface Coerced {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
  /** What only coercion sees: a check of the value would not find it. */
  readonly problems: readonly Problem[];
  /** What explains a check that fails, and is none of a value that passes. */
  readonly hints?: readonly Problem[];
  /** The value is the arguments of another tool: there is nothing to check. */
  readonly foreign?: true;
}

/** One coercion of one call: what it may ask, and what it has worked out already. */
export interface Context extends Layout {
  /** How scalars were written, by the readings they came from. */
  readonly marks: Marks[];
  /**
   * Which object a key belongs to was inferred, or (`keys`) that it is one: no key is dropped, and an undeclared one is a
   * problem.
   */
  readonly nesting: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  readonly known: WeakMap<object, Map<string, Coerced>>;
  /** Coerces one value towards one schema: the way back to `coerceNode` from the files it is made of. */
  readonly coerce: (context: Context, value: unknown, schema: JsonSchema, place: Place) => Coerced;
  /** Results for scalars in unions by where they stand: a tower of unions asks for the same many times. */
  readonly scalars: Map<object | undefined, Map<string, { readonly value: unknown; readonly result: Coerced }>>;
  /** What texts were read as: each form of a union would read them anew. */
  readonly readings: Map<string, Reading>;
  /** The tool changes something, so that keys which say how are never dropped. */
  readonly writes: boolean;
  /** The values came without types. */
  readonly untyped: boolean;
  readonly hints: Problem[];
  /** How many pairs may still be coerced; hostile schemas end here. */
  room: number;
  /** How many keys may still be compared with a property letter by letter. */
  comparisons: number;
  /** How many are being coerced inside each other; schemas nested without end stop here, before the stack does. */
  depth: number;
}

/** Where a value stands and what its surroundings allow. */
export interface Place {
  /** The object or list that holds it, and its key there: marks are kept by these. */
  readonly container?: object | undefined;
  readonly key?: string | number | undefined;
  /** Keys may be dropped; not so inside a union, where no branch may pass by dropping. */
  readonly drop: boolean;
  /** Nothing but a string (or null) is allowed here, so that a number may become one. */
  readonly alone: boolean;
  /** A string is allowed beside, so that the text `null` stays text. */
  readonly text: boolean;
  /** Keys that objects further out declare and lack: a key here may belong to them. */
  readonly outside: readonly string[];
  /** Those of objects in which this is the last: even a key declared here may belong to them. */
  readonly late?: readonly string[] | undefined;
  /** One of these takes any key. */
  readonly open?: boolean | undefined;
  /** It is the one item of a list made for it: no list is made for it again, or a list of lists had no end. */
  readonly wrapped?: boolean | undefined;
  /** Which parts failed, where only those may be coerced; absent where all may. */
  readonly failing?: Failing | undefined;
}

export const same = (value: unknown): Coerced => ({ value, repairs: [], problems: [] });

/** A change of one value, inferred unless it is said. */
export const changed = (
  kind: RepairKind,
  before: unknown,
  after: unknown,
  certainty: 'lossless' | 'inferred' = 'inferred',
): Repair => ({
  path: [],
  kind,
  before: before as JsonValue,
  ...(after === undefined ? {} : { after: after as JsonValue }),
  certainty,
});

/** Moves repairs or problems down under a key. */
export const under = <T extends Repair | Problem>(key: string | number, found: readonly T[]): T[] =>
  found.map((one) => ({ ...one, path: [key, ...one.path] }));

/** How a scalar was written, where that was kept. */
export function markOf(context: Context, { container, key }: Place) {
  if (!container || key === undefined) return undefined;
  return context.marks[0]?.get(container, key);
}
