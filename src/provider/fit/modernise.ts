import { isObject, type Path } from '../../json/value.ts';
import type { SchemaObject } from '../../schema/json-schema.ts';
import type { Lowering } from './lowering.ts';
import { typesIn } from './types-in.ts';

const isList = Array.isArray;
const isText = (held: unknown): boolean => typeof held === 'string';
const isNumber = (held: unknown): boolean => typeof held === 'number' && Number.isFinite(held);
const isFlag = (held: unknown): boolean => typeof held === 'boolean';
const isSchema = (held: unknown): boolean => isFlag(held) || isObject(held);
const areNames = (held: unknown): boolean => isList(held) && held.every(isText);

const of = (words: string, fits: (held: unknown) => boolean): [string, (held: unknown) => boolean][] =>
  words.split(' ').map((word) => [word, fits]);

/** What each word holds where it is written rightly; strict readers refuse the whole schema for a null in one of them. */
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

/** A schema in the words of today: older drafts' and OpenAPI's ways said anew, and what is no word's value left out. */
export function modernise(given: SchemaObject, path: Path, to: Lowering): SchemaObject {
  const sound = Object.entries(given).filter(([word, held]) => {
    const fits = shapes.get(word)?.(held) ?? true;
    if (!fits) to.changes.push({ path, word, kind: 'dropped', why: `${word} can't be ${brief(held)}` });
    return fits;
  });
  const schema = Object.fromEntries(sound) as SchemaObject;
  const told = (word: string, why: string): void => {
    // What is said in the target's own way at the end is no change.
    if (!to.rules.words.has(word) || word !== 'nullable') to.changes.push({ path, word, kind: 'rewritten', why });
  };
  if (to.rules.words.has('nullable') && Array.isArray(schema.type) && schema.type.includes('null'))
    to.changes.push({ path, word: 'type', kind: 'rewritten', why: 'null is said with nullable' });
  for (const step of steps) step(schema, told);
  return schema;
}

const brief = (held: unknown): string => (JSON.stringify(held) ?? String(held)).slice(0, 40);

type Step = (schema: SchemaObject, told: (word: string, why: string) => void) => void;

/** OpenAPI's `nullable`. */
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

/** Draft-04's `exclusiveMinimum: true` beside `minimum`. */
const bound =
  (plain: 'minimum' | 'maximum', exclusive: 'exclusiveMinimum' | 'exclusiveMaximum'): Step =>
  (schema, told) => {
    const flag = schema[exclusive];
    if (typeof flag !== 'boolean') return;
    const limit = schema[plain];
    delete schema[exclusive];
    told(exclusive, 'it is a number now');
    if (!flag || limit === undefined) return;
    delete schema[plain];
    schema[exclusive] = limit;
  };

/** Draft-07's lists under `items`. */
const tuple: Step = (schema, told) => {
  const { items, additionalItems } = schema;
  if (additionalItems !== undefined) delete schema.additionalItems;
  if (!Array.isArray(items)) return;
  told('items', 'a list of schemas stands under prefixItems now');
  delete schema.items;
  schema.prefixItems = items;
  if (additionalItems !== undefined) schema.items = additionalItems;
};

/** Draft-07's `dependencies`. */
const dependencies: Step = (schema, told) => {
  const held = schema.dependencies;
  if (held === undefined) return;
  delete schema.dependencies;
  told('dependencies', 'it is two words now');
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
