import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { exampleNumber, exampleString } from './example-of-scalar.ts';
import type { Faults } from './feedback-faults.ts';
import { itemSchema, resolved } from './feedback-schema-at.ts';

const maxDepth = 12;
const mostMade = 400;
const mostItems = 10;

interface Place {
  /** What the model sent here, if anything. */
  readonly soFar: unknown;
  readonly faults: Faults | undefined;
  /** The field's name, for strings that stand for themselves. */
  readonly name: string;
  readonly root: JsonSchema;
  readonly depth: number;
  /** How many more values may be made: schemas that refer to themselves several times would never end. */
  readonly room: { left: number };
}

/**
 * A value as the schema wants it, made from its examples, defaults, allowed values and types. What the model sent
 * right is kept; `faults` says what was not.
 *
 * @example exampleOf({ type: 'object', properties: { n: { type: 'integer', minimum: 3 } }, required: ['n'] }) // { n: 3 }
 */
export function exampleOf(schema: JsonSchema, soFar?: unknown, faults?: Faults): unknown {
  return build(schema, { soFar, faults, name: 'value', root: schema, depth: 0, room: { left: mostMade } });
}

function build(schema: unknown, place: Place): unknown {
  const { soFar, faults, name } = place;
  if (soFar !== undefined && (!faults || (faults.here.length === 0 && faults.below.size === 0))) return soFar;
  const form = resolved(schema, place.root);
  if (!form || place.depth > maxDepth || place.room.left-- <= 0) return soFar ?? `<${name}>`;
  const given = Array.isArray(form.examples) && form.examples.length > 0 ? form.examples[0] : form.default;
  const whole = chosen(merged(form, place.root), place);
  const type = typeOf(whole);
  if ((type === 'object' && isObject(soFar)) || (type === 'array' && Array.isArray(soFar))) return inside(whole, place);
  if (given !== undefined && given !== null) return given;
  if ('const' in whole) return whole.const;
  if (Array.isArray(whole.enum) && whole.enum.length > 0) return whole.enum.find((value) => value !== null) ?? null;
  return inside(whole, { ...place, soFar: undefined, faults: undefined });
}

const makers: Readonly<Record<string, (form: SchemaObject, place: Place) => unknown>> = {
  object: exampleObject,
  array: exampleList,
  string: (form, { name }) => exampleString(form, name),
  number: (form) => exampleNumber(form),
  integer: (form) => exampleNumber(form),
  boolean: () => true,
  null: () => null,
};

function inside(form: SchemaObject, place: Place): unknown {
  return makers[typeOf(form)]?.(form, place);
}

function exampleObject(form: SchemaObject, { soFar, faults, root, depth, room }: Place): unknown {
  const properties = isObject(form.properties) ? (form.properties as Record<string, JsonSchema>) : {};
  const sent = isObject(soFar) ? soFar : {};
  const keys = new Set([...Object.keys(sent), ...(Array.isArray(form.required) ? form.required : [])]);
  const example: Record<string, unknown> = {};
  for (const key of keys) {
    const below = faults?.below.get(key);
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!known && form.additionalProperties === false && Object.hasOwn(sent, key)) continue;
    if (below?.here.some(({ code }) => code === 'unknown' || code === 'forbidden_key') || key === '__proto__') continue;
    const value = Object.hasOwn(sent, key) ? sent[key] : undefined;
    example[key] = build(known ?? form.additionalProperties, {
      soFar: value,
      faults: below,
      name: key,
      root,
      depth: depth + 1,
      room,
    });
  }
  return example;
}

function exampleList(form: SchemaObject, { soFar, faults, name, root, depth, room }: Place): unknown {
  const sent = Array.isArray(soFar) ? soFar : [];
  const places = Array.isArray(form.prefixItems) ? form.prefixItems : Array.isArray(form.items) ? form.items : [];
  const least = Math.min(mostItems, Math.max(places.length, form.minItems ?? 1));
  const length = Math.min(Math.max(sent.length, least), form.maxItems ?? Number.POSITIVE_INFINITY);
  return Array.from({ length }, (_, index) =>
    build(itemSchema(form, index), {
      soFar: sent[index],
      faults: faults?.below.get(index),
      name,
      root,
      depth: depth + 1,
      room,
    }),
  );
}

/** The schema with what its `allOf` adds to it. */
function merged(form: SchemaObject, root: JsonSchema): SchemaObject {
  if (!Array.isArray(form.allOf)) return form;
  let whole: SchemaObject = { ...form };
  for (const part of form.allOf) {
    const more = resolved(part, root) ?? {};
    const properties = { ...whole.properties, ...more.properties };
    const required = [...(whole.required ?? []), ...(more.required ?? [])];
    whole = { ...more, ...whole, properties, required };
  }
  return whole;
}

/** The branch of a union that the value sent comes nearest to: its own constants first, then the first not null. */
function chosen(form: SchemaObject, { soFar, root }: Place): SchemaObject {
  const union = form.anyOf ?? form.oneOf;
  if (!Array.isArray(union)) return form;
  const branches = union.map((branch) => resolved(branch, root)).filter((branch) => branch !== undefined);
  const named = branches.find((branch) => agrees(branch, soFar));
  const branch = named ?? branches.find((each) => each.type !== 'null') ?? branches[0];
  if (!branch) return form;
  const properties = { ...form.properties, ...branch.properties };
  return { ...form, ...merged(branch, root), ...(Object.keys(properties).length > 0 ? { properties } : {}) };
}

function agrees(branch: SchemaObject, soFar: unknown): boolean {
  if (!isObject(soFar) || !isObject(branch.properties)) return false;
  return Object.entries(branch.properties).some(
    ([key, property]) => isObject(property) && 'const' in property && property.const === soFar[key],
  );
}

function typeOf(form: SchemaObject): string {
  const type = Array.isArray(form.type) ? (form.type.find((each) => each !== 'null') ?? 'null') : form.type;
  if (type) return type;
  return form.properties || form.required ? 'object' : form.items || form.prefixItems ? 'array' : 'string';
}
