import { checkArgument, equal, hasOwn, isObject, type Path } from '../../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { Interpreter } from '../../../schema/validate/interpreter.ts';
import type { LoweringTarget } from '../lowering-target.ts';
import { describeKeyword, withSentences } from './describe-keyword.ts';
import { flatten, mergeSchemas, recordChange } from './flatten.ts';
import { lowerFlat, lowerNode } from './node.ts';
import { type Lowering, type LoweringChange, type Plan, startLowering } from './state.ts';
import { targetRules } from './target-rules.ts';
import { concerns, typesIn } from './types-in.ts';

/** A schema adapted to a target. */
export interface LoweredSchema {
  readonly schema: SchemaObject;
  /** What the target would have rejected, and how it was changed. */
  readonly changes: readonly LoweringChange[];
  /** False if the target can't express some value that the original accepts, such as arbitrary keys in strict mode. */
  readonly covers: boolean;
  /** Converts a value for the lowered schema back to the original: undoes added nulls and renamed properties. */
  lift(value: unknown): unknown;
}

export interface LoweringOptions {
  /**
   * Whether the root must be an object, as for tool arguments, or may be of any type, as for structured output.
   * @default 'object'
   */
  readonly root?: 'object' | 'any';
}

/**
 * Rewrites the schema of tool arguments for a provider. What the provider can't express moves to the description.
 * Validate calls against the original schema.
 *
 * @example lowerSchema({ type: 'object', properties: { id: { const: 5 } } }, 'gemini').schema
 */
export function lowerSchema(
  schema: JsonSchema,
  target: LoweringTarget,
  { root: kind = 'object' }: LoweringOptions = {},
): LoweredSchema {
  checkArgument(Object.hasOwn(targetRules, String(target)), 'target', Object.keys(targetRules).join(', '), target);
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

/** Makes the root an object without the keywords that are rejected there. */
function asObject(root: SchemaObject, to: Lowering): SchemaObject {
  const types = typesIn(root);
  if (types?.length !== 1 || types[0] !== 'object') {
    const isObject = types === undefined || types.includes('object');
    if (!isObject) to.covers = false;
    const why = isObject
      ? 'arguments are an object, so the root needs the type object'
      : `arguments can't be of type ${types.join(' or ')}`;
    recordChange(to, [], 'type', isObject ? 'rewritten' : 'dropped', why);
  }
  const { notAtRoot = [] } = to.rules;
  const said = notAtRoot.flatMap((word) => {
    if (!hasOwn(root, word)) return [];
    recordChange(to, [], word, 'described', 'the keyword is rejected at the root');
    return describeKeyword(word, root[word]) ?? [];
  });
  const kept = Object.entries(root).filter(([word]) => !notAtRoot.includes(word) && concerns(word, 'object'));
  const description = withSentences(root.description, said);
  const words = Object.fromEntries(kept);
  return { ...words, type: 'object', ...(description !== undefined && { description }) };
}

/** Lowers each referenced definition once. Lowering one can add more. */
function definitions(to: Lowering): { $defs?: Record<string, SchemaObject> } {
  const done = new Map<string, SchemaObject>();
  for (const [target, name] of to.definitions) {
    const at: Path = ['$defs', name];
    done.set(name, to.lower(target, at));
  }
  return done.size > 0 ? { $defs: Object.fromEntries(done) } : {};
}

/** Larger unions are not described, because the description would be too long to help. */
const mostForms = 100;

/**
 * Merges a union at the root, which every provider rejects, into one object: with the properties of all forms, those
 * required that every form requires, and a description of which belong together.
 */
function mergeRoot(root: SchemaObject, to: Lowering, followed: Set<SchemaObject>): SchemaObject {
  let merged = root;
  for (const word of ['anyOf', 'oneOf'] as const) {
    const { [word]: given, ...base } = merged;
    if (!Array.isArray(given)) continue;
    const forms = formsOf(given, [word], to, followed, 0);
    recordChange(
      to,
      [],
      word,
      'described',
      'the root must be one object; the description says which properties belong together',
    );
    merged = unite(base, forms, word);
  }
  return merged;
}

/** The forms of a union that an object can have, including those of nested unions. */
function formsOf(
  given: readonly unknown[],
  at: Path,
  to: Lowering,
  followed: Set<SchemaObject>,
  depth: number,
): SchemaObject[] {
  return given.slice(0, mostForms).flatMap((form, index): SchemaObject[] => {
    const own = new Set(followed);
    const flat = flatten(form, [...at, index], to, own);
    for (const target of own) followed.add(target);
    if (flat === false || typesIn(flat)?.includes('object') === false) return [];
    const inner = flat.anyOf ?? flat.oneOf;
    if (!Array.isArray(inner) || depth > 3) return [flat];
    const { anyOf: _, oneOf: __, ...base } = flat;
    return formsOf(inner, [...at, index, 'anyOf'], to, followed, depth + 1).map((one) =>
      mergeSchemas(one, base, () => {}),
    );
  });
}

function unite(base: SchemaObject, forms: readonly SchemaObject[], word: string): SchemaObject {
  const keys = new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})));
  const properties = [...keys].map((key) => {
    const held = forms.flatMap(({ properties: own }) => (own && hasOwn(own, key) ? [own[key] as JsonSchema] : []));
    const known = base.properties && hasOwn(base.properties, key) ? base.properties[key] : undefined;
    const any = oneOf(held);
    return [key, known === undefined || equal(known, any) ? any : { allOf: [known, any] }] as const;
  });
  const shared = forms.map((form) => new Set(form.required));
  const required = [...(shared[0] ?? [])].filter((key) => shared.every((names) => names.has(key)));
  const areClosed = forms.length > 0 && forms.every((form) => form.additionalProperties === false);
  const about = withSentences(
    base.description,
    [formsText(forms, word)].filter((text) => text !== ''),
  );
  const needed = [...new Set([...(base.required ?? []), ...required])];
  return {
    ...base,
    type: 'object',
    properties: { ...base.properties, ...Object.fromEntries(properties) },
    ...(needed.length > 0 && { required: needed }),
    ...(areClosed && base.additionalProperties === undefined && { additionalProperties: false }),
    ...(about !== undefined && { description: about }),
  };
}

/** Merges the schemas that the forms give one property. */
function oneOf(held: readonly JsonSchema[]): JsonSchema {
  const different = held.filter((one, index) => !held.slice(0, index).some((other) => equal(one, other)));
  const [only] = different;
  if (only !== undefined && different.length === 1) return only;
  const members = different.map((one) => listed(one));
  if (members.includes(undefined)) return { anyOf: different };
  const [first] = different.filter(isObject) as SchemaObject[];
  const { const: _, enum: __, ...about } = first ?? {};
  return { ...about, enum: [...new Set(members.flat())] };
}

const listing = new Set(['const', 'enum', 'type', 'title', 'description', 'default']);

/** The listed values of a schema without other constraints. */
function listed(schema: JsonSchema): readonly unknown[] | undefined {
  if (!isObject(schema) || !Object.keys(schema).every((word) => listing.has(word))) return undefined;
  if (hasOwn(schema, 'const')) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
}

/** Describes which properties belong together. */
function formsText(forms: readonly SchemaObject[], word: string): string {
  const texts = forms.map(formText).filter((text) => text !== '');
  if (texts.length < 2) return texts.length === 1 ? `Must have ${texts[0]}.` : '';
  return `${word === 'oneOf' ? 'Exactly one' : 'At least one'} of these forms must match: ${texts.join('; or ')}.`;
}

function formText(form: SchemaObject): string {
  const fixed = Object.entries(form.properties ?? {}).flatMap(([key, schema]) =>
    isObject(schema) && hasOwn(schema, 'const') ? [`'${key}' is ${JSON.stringify(schema.const)}`] : [],
  );
  const constant = (key: string): boolean => fixed.some((text) => text.startsWith(`'${key}' is `));
  const needed = (form.required ?? []).filter((key) => !constant(key)).map((key) => `'${key}'`);
  const optional = Object.keys(form.properties ?? {})
    .filter((key) => !constant(key) && !form.required?.includes(key))
    .map((key) => `'${key}'`);
  const others = Object.entries(form).flatMap(([word, held]) =>
    told.has(word) ? (describeKeyword(word, held) ?? []) : [],
  );
  return [
    ...fixed,
    ...(needed.length > 0 ? [`has ${needed.join(', ')}`] : []),
    ...(optional.length > 0 ? [`may have ${optional.join(', ')}`] : []),
    ...others,
  ].join(', ');
}

const told = new Set([
  'minProperties',
  'maxProperties',
  'not',
  'propertyNames',
  'dependentRequired',
  'patternProperties',
]);

type Plans = WeakMap<object, Plan>;

/**
 * Converts a value written for a lowered schema back to the original schema: removes nulls of optional properties, and
 * restores property names. Returns the same value if nothing changes.
 */
function lift(value: unknown, schema: SchemaObject, plans: Plans): unknown {
  const judge = new Interpreter(schema);
  return liftBy(value, [schema], judge, plans, 0);
}

const deepest = 400;

function liftBy(value: unknown, schemas: readonly unknown[], judge: Interpreter, plans: Plans, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  const nodes = schemas.flatMap((schema) => applying(value, schema, judge, 0));
  if (nodes.length === 0) return value;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => {
      const inside = nodes.map(({ prefixItems, items: rest }) => prefixItems?.[index] ?? rest);
      return liftBy(item, inside, judge, plans, depth + 1);
    });
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isObject(value) ? liftObject(value, nodes, judge, plans, depth) : value;
}

function liftObject(
  value: Record<string, unknown>,
  nodes: readonly SchemaObject[],
  judge: Interpreter,
  plans: Plans,
  depth: number,
): unknown {
  let changed = false;
  const entries = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
    const declaring = nodes.filter(({ properties }) => properties && hasOwn(properties, key));
    const planned = declaring.map(({ properties }) => plans.get(properties as object));
    // If one matching form allows null, the null may be intended.
    if (held === null && planned.length > 0 && planned.every((plan) => plan?.nulls.has(key))) {
      changed = true;
      return [];
    }
    const inside = nodes.map(({ properties, additionalProperties }) =>
      properties && hasOwn(properties, key) ? properties[key] : additionalProperties,
    );
    const lifted = liftBy(held, inside, judge, plans, depth + 1);
    const name = planned.map((plan) => plan?.names.get(key)).find((one) => one !== undefined) ?? key;
    changed ||= lifted !== held || name !== key;
    return [[name, lifted]];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/**
 * The schemas that apply to a value: reference targets and the matching forms of a union, or all forms if none matches.
 */
function applying(value: unknown, schema: unknown, judge: Interpreter, turn: number): SchemaObject[] {
  const node = typeof schema === 'object' && schema !== null ? judge.resolve(schema as SchemaObject) : undefined;
  if (!isObject(node) || turn > 16) return [];
  const here = node as SchemaObject;
  const forms = here.anyOf ?? here.oneOf ?? [];
  const fitting = forms.filter((form) => judge.passes(value, form));
  const inside = (fitting.length > 0 ? fitting : forms).flatMap((form) => applying(value, form, judge, turn + 1));
  const all = (here.allOf ?? []).flatMap((form) => applying(value, form, judge, turn + 1));
  return [...(here.properties || here.items || here.prefixItems ? [here] : []), ...inside, ...all];
}
