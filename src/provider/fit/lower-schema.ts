import { hasOwn, type Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/json-schema.ts';
import { describeWord, withSentences } from './describe-word.ts';
import { flatten, tell } from './flatten.ts';
import { lift } from './lift.ts';
import { lowerFlat, lowerNode } from './lower-node.ts';
import { type Lowering, type LoweringChange, startLowering } from './lowering.ts';
import type { LoweringTarget } from './lowering-target.ts';
import { mergeRoot } from './merge-root.ts';
import { targetRules } from './target-rules.ts';
import { concerns, typesIn } from './types-in.ts';

/** A schema as a target takes it. */
export interface LoweredSchema {
  readonly schema: SchemaObject;
  /** Everything the target would have refused, and what became of it. */
  readonly changes: readonly LoweringChange[];
  /** False where the target can't say some value that the original takes: a map of free keys in strict mode. */
  readonly covers: boolean;
  /** A value written under the lowered schema as the original has it: the nulls and names that lowering made undone. */
  lift(value: unknown): unknown;
}

export interface LoweringOptions {
  /** Arguments are an object, and so is the root of their schema; the schema of an answer may be any. Default `object`. */
  readonly root?: 'object' | 'any';
}

/**
 * Rewrites a schema of tool arguments so that a provider takes it: without loss where that is possible, otherwise told in
 * the description. Calls are still to be checked against the original.
 *
 * @example lowerSchema({ type: 'object', properties: { id: { const: 5 } } }, 'gemini').schema
 */
export function lowerSchema(
  schema: JsonSchema,
  target: LoweringTarget,
  { root: kind = 'object' }: LoweringOptions = {},
): LoweredSchema {
  const to: Lowering = startLowering(
    schema,
    targetRules[target],
    (given, at) => lowerNode(given, at, to),
    (flat, followed, at) => lowerFlat(flat, followed, at, to),
  );
  const followed = new Set<SchemaObject>(typeof schema === 'object' ? [schema] : []);
  const lowered = kind === 'any' ? to.lower(schema, []) : lowerRoot(schema, followed, to);
  const whole = { ...lowered, ...definitions(to) };
  return {
    schema: whole,
    changes: to.changes,
    covers: to.covers,
    lift: (value) => lift(value, whole, to.plans),
  };
}

function lowerRoot(schema: JsonSchema, followed: Set<SchemaObject>, to: Lowering): SchemaObject {
  const flat = flatten(schema, [], to, followed);
  const root = asObject(mergeRoot(flat || {}, to, followed), to);
  return to.lowerFlat(root, followed, []);
}

/** The root says that it is an object, and nothing that is refused at a root. */
function asObject(root: SchemaObject, to: Lowering): SchemaObject {
  const types = typesIn(root);
  if (types?.length !== 1 || types[0] !== 'object') {
    const isObject = types === undefined || types.includes('object');
    if (!isObject) to.covers = false;
    const why = isObject
      ? 'arguments are an object, and the root must say so'
      : `arguments can't be of type ${types.join(' or ')}`;
    tell(to, [], 'type', isObject ? 'rewritten' : 'dropped', why);
  }
  const { notAtRoot = [] } = to.rules;
  const said = notAtRoot.flatMap((word) => {
    if (!hasOwn(root, word)) return [];
    tell(to, [], word, 'described', 'the word is refused at the root');
    return describeWord(word, root[word]) ?? [];
  });
  const kept = Object.entries(root).filter(([word]) => !notAtRoot.includes(word) && concerns(word, 'object'));
  const description = withSentences(root.description, said);
  const words = Object.fromEntries(kept);
  return { ...words, type: 'object', ...(description !== undefined && { description }) };
}

/** What references lead to, each lowered once; lowering one may lead to more. */
function definitions(to: Lowering): { $defs?: Record<string, SchemaObject> } {
  const done = new Map<string, SchemaObject>();
  for (const [target, name] of to.definitions) {
    const at: Path = ['$defs', name];
    done.set(name, to.lower(target, at));
  }
  return done.size > 0 ? { $defs: Object.fromEntries(done) } : {};
}
