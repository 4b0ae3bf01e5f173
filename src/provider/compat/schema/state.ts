import type { Path } from '../../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { Interpreter } from '../../../schema/validate/interpreter.ts';
import { Refs } from '../../../schema/validate/refs.ts';
import type { Warning } from '../../wire/types.ts';
import type { TargetRules } from './target-rules.ts';

/** Something that a target would reject, and how it was changed. */
export interface LoweringChange {
  /** Path in the schema: `['properties', 'url']`. */
  readonly path: Path;
  /** The keyword. */
  readonly word: string;
  /** Rewritten with the same meaning, moved to the description, or dropped. */
  readonly kind: 'rewritten' | 'described' | 'dropped';
  /** The reason, as a clause: `strict mode wants every property required`. */
  readonly why: string;
}

/** Something in a request that the provider would reject, and how it was changed. */
export interface Fitting extends Warning {
  readonly kind: LoweringChange['kind'];
}

/** What to undo in values of one lowered object. */
export interface Plan {
  /** Properties that are required only by the target, and not nullable in the original. */
  readonly nulls: ReadonlySet<string>;
  /** Original property names by their lowered names. */
  readonly names: ReadonlyMap<string, string>;
}

/** State of lowering one schema for one target. */
export interface Lowering {
  readonly rules: TargetRules;
  readonly root: JsonSchema;
  readonly refs: Refs;
  /** Checks values against the original schema. */
  readonly judge: Interpreter;
  readonly changes: LoweringChange[];
  /** Keyed by the `properties` of the lowered object, which stays the same when keywords are added next to it. */
  readonly plans: WeakMap<object, Plan>;
  /** Targets of the references that are currently being inlined. */
  readonly within: Set<SchemaObject>;
  /** Names of referenced definitions by their schema. */
  readonly definitions: Map<SchemaObject, string>;
  /** Remaining limits. */
  readonly room: { nodes: number; inlined: number; properties: number; values: number };
  /** Lowers a nested schema. Passed in to avoid an import cycle. */
  readonly lower: (given: unknown, at: Path) => SchemaObject;
  /** Lowers a flattened schema, given the schemas its references led to. */
  readonly lowerFlat: (flat: SchemaObject, followed: ReadonlySet<SchemaObject>, at: Path) => SchemaObject;
  /** False once the lowered schema can't express some value that the original accepts. */
  covers: boolean;
}

/** Maximum nesting depth. Real definitions have less. */
export const deepest = 200;

/** Starts a lowering. */
export const startLowering = (
  root: JsonSchema,
  rules: TargetRules,
  lower: (given: unknown, at: Path) => SchemaObject,
  lowerFlat: Lowering['lowerFlat'],
): Lowering => ({
  rules,
  lower,
  lowerFlat,
  root,
  refs: new Refs(root),
  judge: new Interpreter(root),
  changes: [],
  plans: new WeakMap(),
  within: new Set(),
  definitions: new Map(),
  room: {
    nodes: 100_000,
    // A larger schema costs more tokens than it is worth.
    inlined: 5000,
    properties: rules.most?.properties ?? Number.POSITIVE_INFINITY,
    values: rules.most?.values ?? Number.POSITIVE_INFINITY,
  },
  covers: true,
});

/** The result of lowering part of a schema. */
export interface Lowered {
  /** Keywords to keep. */
  readonly words: SchemaObject;
  /** Sentences for the description. */
  readonly said: readonly string[];
}

export const nothing: Lowered = { words: {}, said: [] };
