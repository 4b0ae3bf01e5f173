import type { Path } from '../../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { Interpreter } from '../../../schema/validate/interpreter.ts';
import { Refs } from '../../../schema/validate/refs.ts';
import type { TargetRules } from './target-rules.ts';

/** One thing a target would refuse, and what became of it. */
export interface LoweringChange {
  /** Where it stood in the schema, by its words and keys: `['properties', 'url']`. */
  readonly path: Path;
  /** The schema word it is about. */
  readonly word: string;
  /** Said otherwise with the same meaning, moved into the description, or left out. */
  readonly kind: 'rewritten' | 'described' | 'dropped';
  /** Why, in a sentence's end: `strict mode wants every property required`. */
  readonly why: string;
}

/** What is to be undone in values written under one lowered object. */
export interface Plan {
  /** Properties that are required only because the target wants all required, and not nullable in the original. */
  readonly nulls: ReadonlySet<string>;
  /** Property names as they were, by the names they were given. */
  readonly names: ReadonlyMap<string, string>;
}

/** One schema on its way to one target. */
export interface Lowering {
  readonly rules: TargetRules;
  readonly root: JsonSchema;
  readonly refs: Refs;
  /** Decides by the original schema. */
  readonly judge: Interpreter;
  readonly changes: LoweringChange[];
  /** By the lowered object's `properties`, which stays the same while words are added beside it. */
  readonly plans: WeakMap<object, Plan>;
  /** The targets of references that are being written out in place. */
  readonly within: Set<SchemaObject>;
  /** Names of the definitions that references lead to, by what they point at. */
  readonly definitions: Map<SchemaObject, string>;
  /** What may still be written. */
  readonly room: { nodes: number; inlined: number; properties: number; values: number };
  /** Lowers a schema inside this one; given here, because its parts call each other in a circle. */
  readonly lower: (given: unknown, at: Path) => SchemaObject;
  /** The same for one that is flat already, by what its references led to. */
  readonly lowerFlat: (flat: SchemaObject, followed: ReadonlySet<SchemaObject>, at: Path) => SchemaObject;
  /** False once some value that the original takes can't be written any more. */
  covers: boolean;
}

/** Schemas within schemas that are looked at; no sound definition has more. */
export const deepest = 200;

/** The start of a lowering. */
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
    // A schema that grows past this when its references are written out costs more tokens than it helps.
    inlined: 5000,
    properties: rules.most?.properties ?? Number.POSITIVE_INFINITY,
    values: rules.most?.values ?? Number.POSITIVE_INFINITY,
  },
  covers: true,
});

/** What part of a schema came to. */
export interface Lowered {
  /** Words to keep. */
  readonly words: SchemaObject;
  /** Sentences for the description. */
  readonly said: readonly string[];
}

export const nothing: Lowered = { words: {}, said: [] };
