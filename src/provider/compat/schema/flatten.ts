import { equal, hasOwn, isObject, type Path } from '../../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { describeKeyword, withSentences } from './describe-keyword.ts';
import type { Lowering } from './state.ts';
import { meantTypes, typesIn } from './types-in.ts';

/**
 * Merges the target of `$ref` and the parts of `allOf` into a schema, without descending into its children. Adds each
 * followed schema to `followed`, so that callers detect cycles. Returns false if no value is valid.
 */
export function flatten(given: unknown, at: Path, to: Lowering, followed: Set<SchemaObject>): SchemaObject | false {
  if (given === false) return false;
  if (!isObject(given)) {
    if (given !== true && given !== undefined) recordChange(to, at, 'schema', 'dropped', 'it is not a schema');
    return {};
  }
  to.room.nodes--;
  const { $ref, ...beside } = modernise(given as SchemaObject, at, to);
  const referred = typeof $ref === 'string' ? follow($ref, given as SchemaObject, at, to, followed) : {};
  return referred && mergeAll(beside, referred, at, to, followed);
}

/** Resolves and flattens a reference. A cycle, or one nested too deeply, is reduced to its type. */
function follow(ref: string, from: SchemaObject, at: Path, to: Lowering, followed: Set<SchemaObject>) {
  const target = to.refs.target(ref, from);
  if (target === undefined) {
    recordChange(to, at, '$ref', 'dropped', `${JSON.stringify(ref)} points at nothing in the schema`);
    return {};
  }
  if (!isObject(target)) return flatten(target, at, to, followed);
  const circle = to.within.has(target) || followed.has(target);
  if (circle || to.room.inlined <= 0 || to.room.nodes <= 0) {
    const why = circle ? 'the schema is recursive, and is inlined only once' : 'inlined, it is too large';
    recordChange(to, at, '$ref', 'described', why);
    return schemaStub(ref, target, to);
  }
  followed.add(target);
  to.room.inlined--;
  if (to.rules.refs === 'inlined')
    recordChange(to, at, '$ref', 'rewritten', 'references are not supported, so the definition is inlined');
  return flatten(target, at, to, followed);
}

/** Reduces a schema that can't be inlined to its types and a description. */
export function schemaStub(ref: string, target: SchemaObject, to: Lowering): SchemaObject {
  if (to.rules.closed) to.covers = false;
  const types = meantTypes(target);
  const name = decodeURIComponent(
    ref
      .split('/')
      .at(-1)
      ?.replace(/%(?![\da-f]{2})/gi, '%25') ?? ref,
  );
  const form = name === '#' || name === '' ? 'Has the same form as the root.' : `Has the same form as '${name}'.`;
  const description = withSentences(target.description, [form]) ?? form;
  return { ...(types && { type: types.length === 1 && types[0] ? types[0] : types }), description };
}

/** Merges the parts of `allOf` into their schema if the target doesn't support it, or if that loses nothing. */
function mergeAll(
  beside: SchemaObject,
  referred: SchemaObject,
  at: Path,
  to: Lowering,
  followed: Set<SchemaObject>,
): SchemaObject | false {
  const kept = to.rules.words.has('allOf') && at.length > 0;
  const parts = !kept && Array.isArray(beside.allOf) ? beside.allOf : [];
  const { allOf: _, ...own } = beside;
  let merged = parts.length > 0 ? own : beside;
  const said: string[] = [];
  const lay = (part: SchemaObject): void => {
    merged = mergeSchemas(merged, part, (word, held) => {
      const sentence = describeKeyword(word, held);
      if (sentence) said.push(sentence);
      recordChange(to, at, word, 'described', 'two parts of the schema disagree about it');
    });
  };
  lay(referred);
  for (const part of parts) {
    const flat = to.room.nodes > 0 ? flatten(part, at, to, followed) : {};
    if (flat === false) return false;
    lay(flat);
  }
  if (parts.length > 0) recordChange(to, at, 'allOf', 'rewritten', 'its parts are merged into one schema');
  const description = withSentences(merged.description, said);
  return description === undefined ? merged : { ...merged, description };
}

/** Records a change. */
export function recordChange(
  to: Lowering,
  path: Path,
  word: string,
  kind: 'rewritten' | 'described' | 'dropped',
  why: string,
): void {
  to.changes.push({ path, word, kind, why });
}

const isList = Array.isArray;
const isText = (held: unknown): boolean => typeof held === 'string';
const isNumber = (held: unknown): boolean => typeof held === 'number' && Number.isFinite(held);
const isFlag = (held: unknown): boolean => typeof held === 'boolean';
const isSchema = (held: unknown): boolean => isFlag(held) || isObject(held);
const areNames = (held: unknown): boolean => isList(held) && held.every(isText);

const of = (words: string, fits: (held: unknown) => boolean): [string, (held: unknown) => boolean][] =>
  words.split(' ').map((word) => [word, fits]);

/** Valid values of each keyword. Strict parsers reject a whole schema if one is null. */
const shapes = new Map<string, (held: unknown) => boolean>([
  ...of('properties patternProperties dependentSchemas dependentRequired dependencies $defs definitions', isObject),
  ...of('required', areNames),
  ...of('enum anyOf oneOf allOf prefixItems examples', isList),
  ...of('items', (held) => isSchema(held) || isList(held)),
  ...of('additionalProperties additionalItems propertyNames contains not if then else', isSchema),
  ...of('unevaluatedProperties unevaluatedItems contentSchema', isSchema),
  ...of('title description pattern format $ref $id $schema $comment $anchor', isText),
  ...of('minimum maximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties', isNumber),
  ...of('exclusiveMinimum exclusiveMaximum', (held) => isNumber(held) || isFlag(held)),
  ...of('uniqueItems nullable deprecated readOnly writeOnly', isFlag),
  ...of('type', (held) => isText(held) || areNames(held)),
]);

/** Converts keywords of older drafts and of OpenAPI to current JSON Schema, and drops keywords with invalid values. */
function modernise(given: SchemaObject, path: Path, to: Lowering): SchemaObject {
  const sound = Object.entries(given).filter(([word, held]) => {
    const fits = shapes.get(word)?.(held) ?? true;
    if (!fits) to.changes.push({ path, word, kind: 'dropped', why: `${word} can't be ${brief(held)}` });
    return fits;
  });
  const schema = Object.fromEntries(sound) as SchemaObject;
  const told = (word: string, why: string): void => {
    // Not a change if the target uses `nullable` itself.
    if (!to.rules.words.has(word) || word !== 'nullable') to.changes.push({ path, word, kind: 'rewritten', why });
  };
  if (to.rules.words.has('nullable') && Array.isArray(schema.type) && schema.type.includes('null'))
    to.changes.push({ path, word: 'type', kind: 'rewritten', why: 'null is expressed with nullable' });
  for (const step of steps) step(schema, told);
  return schema;
}

const brief = (held: unknown): string => (JSON.stringify(held) ?? String(held)).slice(0, 40);

type Step = (schema: SchemaObject, told: (word: string, why: string) => void) => void;

/** Converts OpenAPI's `nullable`. */
const nullable: Step = (schema, told) => {
  const { nullable: may, ...rest } = schema;
  if (may === undefined) return;
  delete schema.nullable;
  if (may !== true) return;
  const types = typesIn(schema);
  told('nullable', 'null is one of the types');
  if (types) schema.type = [...new Set([...types, 'null' as const])];
  else {
    for (const word of Object.keys(rest)) delete schema[word];
    Object.assign(schema, { anyOf: [rest, { type: 'null' }] });
  }
};

/** Converts `exclusiveMinimum: true` of draft 4. */
const bound =
  (plain: 'minimum' | 'maximum', exclusive: 'exclusiveMinimum' | 'exclusiveMaximum'): Step =>
  (schema, told) => {
    const flag = schema[exclusive];
    if (typeof flag !== 'boolean') return;
    const limit = schema[plain];
    delete schema[exclusive];
    told(exclusive, 'the target expects a number here');
    if (!flag || limit === undefined) return;
    delete schema[plain];
    schema[exclusive] = limit;
  };

/** Converts `items` with a list, from draft 7. */
const tuple: Step = (schema, told) => {
  const { items, additionalItems } = schema;
  if (additionalItems !== undefined) delete schema.additionalItems;
  if (!Array.isArray(items)) return;
  told('items', 'a list of schemas is written as prefixItems');
  delete schema.items;
  schema.prefixItems = items;
  if (additionalItems !== undefined) schema.items = additionalItems;
};

/** Converts `dependencies` of draft 7. */
const dependencies: Step = (schema, told) => {
  const held = schema.dependencies;
  if (held === undefined) return;
  delete schema.dependencies;
  told('dependencies', 'it is split into two keywords');
  const [lists, others] = [Object.entries(held).filter(([, one]) => Array.isArray(one)), Object.entries(held)];
  const schemas = others.filter(([, one]) => !Array.isArray(one));
  if (lists.length > 0) schema.dependentRequired = Object.fromEntries(lists) as Record<string, string[]>;
  if (schemas.length > 0) schema.dependentSchemas = Object.fromEntries(schemas) as Record<string, SchemaObject>;
};

const steps: readonly Step[] = [
  bound('minimum', 'exclusiveMinimum'),
  bound('maximum', 'exclusiveMaximum'),
  tuple,
  dependencies,
  nullable,
];

type Join = (a: unknown, b: unknown) => unknown;

const larger: Join = (a, b) => (typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : undefined);
const smaller: Join = (a, b) => (typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : undefined);
const both: Join = (a, b) => ({ allOf: [a as JsonSchema, b as JsonSchema] });

const types: Join = (a, b) => {
  const [one, other] = [typesIn({ type: a } as SchemaObject), typesIn({ type: b } as SchemaObject)];
  if (!one || !other) return one ? a : b;
  const shared = [
    ...one.filter((type) => other.includes(type) || (type === 'integer' && other.includes('number'))),
    ...other.filter((type) => type === 'integer' && one.includes('number') && !one.includes('integer')),
  ];
  return shared.length === 0 ? undefined : shared.length === 1 ? shared[0] : shared;
};

const byKey: Join = (a, b) => {
  if (!isObject(a) || !isObject(b)) return undefined;
  const shared = Object.entries(b).map(([key, sub]) => [key, hasOwn(a, key) ? both(a[key], sub) : sub]);
  return { ...a, ...Object.fromEntries(shared) };
};

const inOrder: Join = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  const longer = a.length >= b.length ? a : b;
  return longer.map((_, i) => (i < a.length && i < b.length ? both(a[i], b[i]) : longer[i]));
};

const all: Join = (a, b) => (Array.isArray(a) && Array.isArray(b) ? [...new Set([...a, ...b])] : undefined);

const members: Join = (a, b) => {
  if (!Array.isArray(a) || !Array.isArray(b)) return undefined;
  const shared = a.filter((one) => b.some((other) => equal(one, other)));
  return shared.length > 0 ? shared : undefined;
};

/** Both allow additional keys only if each does. Keys declared in either are now declared in both. */
const otherKeys: Join = (a, b) => (a === false || b === false ? false : a === true ? b : b === true ? a : both(a, b));

const first: Join = (a) => a;
const sentences: Join = (a, b) => (a === b || !b ? a : a ? `${a} ${b}` : b);

/** How to merge two values of one keyword into a value that requires both, or less. No entry if that isn't possible. */
const joins: Readonly<Record<string, Join>> = {
  type: types,
  properties: byKey,
  required: all,
  additionalProperties: otherKeys,
  items: (a, b) => (Array.isArray(a) || Array.isArray(b) ? undefined : both(a, b)),
  prefixItems: inOrder,
  enum: members,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  description: sentences,
  title: first,
  default: first,
  examples: first,
  $schema: first,
  $id: first,
  $comment: first,
  $defs: first,
  definitions: first,
};

/**
 * Merges two schemas of the same value into one that accepts whatever both accept. If a keyword can't be merged, the
 * first value stays and the second is passed to `left`.
 */
export function mergeSchemas(
  a: SchemaObject,
  b: SchemaObject,
  left: (word: string, held: unknown) => void,
): SchemaObject {
  const merged = new Map<string, unknown>(Object.entries(a));
  for (const [word, held] of Object.entries(b)) {
    const known = merged.get(word);
    if (!merged.has(word)) merged.set(word, held);
    else if (!equal(known, held)) {
      const joined = hasOwn(joins, word) ? joins[word]?.(known, held) : undefined;
      if (joined === undefined) left(word, held);
      else merged.set(word, joined);
    }
  }
  return Object.fromEntries(merged) as SchemaObject;
}
