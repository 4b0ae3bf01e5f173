import { isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { type Refs, subschemas } from '../../schema/validate/refs.ts';

/** A schema on the way through the definition. */
export interface Place {
  readonly schema: unknown;
  /** Where it is, for people: `parameters.properties.user.address[].zip`. */
  readonly field: string;
  /** What the fields of its properties begin with. */
  readonly below: string;
  /** True for what stands for a value of its own; a branch of a union may leave its type to the schema around it. */
  readonly typed: boolean;
  /** The outermost schema that describes the same value, where this one is a branch; a branch may ask for its names. */
  readonly whole?: SchemaObject | undefined;
}

/** Every schema of a tool's parameters, what is near the root first; the schema is known to be of a sane size. */
export function schemaPlaces(root: JsonSchema): Place[] {
  const places: Place[] = [{ schema: root, field: 'parameters', below: 'parameters.properties', typed: false }];
  // The list grows while it is read.
  for (const place of places) {
    if (isObject(place.schema)) for (const next of inside(place.schema as SchemaObject, place)) places.push(next);
  }
  return places;
}

/** What must not be may be asked for without being declared. */
const anything: SchemaObject = { patternProperties: { '': true } };
const forValues = new Set(['properties', 'prefixItems', 'items', '$defs', 'definitions']);

/** The schemas inside one, each with the field a person would call it by. */
const inside = (schema: SchemaObject, { field, below, whole = schema }: Place): Place[] =>
  [...subschemas(schema)].map(([held, word, key]) => {
    const at = key === undefined ? '' : Array.isArray(schema[word]) ? `[${key}]` : `.${key}`;
    const isItem = word === 'items' || word === 'prefixItems';
    const name = word === 'properties' ? below + at : isItem ? field + (at || '[]') : `${field}.${word}${at}`;
    const isRest = word === 'items' && Array.isArray(schema.prefixItems);
    const outermost = word === 'not' ? anything : sameValue.has(word) ? whole : undefined;
    return { schema: held, field: name, below: name, typed: forValues.has(word) && !isRest, whole: outermost };
  });

/** What a definition may hold; more comes from a mistake or an attacker, and would cost every request. */
export const schemaLimits = { size: 1024 * 1024, depth: 200 } as const;

/**
 * Whether a schema is within the limits, measured as its JSON text would be. It does not call itself and stops at the
 * first limit passed, so that no schema, not even one that holds itself, can take long or overflow the stack.
 */
export function schemaSize(schema: unknown): 'fits' | keyof typeof schemaLimits {
  let size = 0;
  const open: { value: unknown; depth: number }[] = [{ value: schema, depth: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (depth > schemaLimits.depth) return 'depth';
    size += 1 + (typeof value === 'string' ? value.length + 2 : 0);
    if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) {
        size += Array.isArray(value) ? 1 : key.length + 4;
        if (size > schemaLimits.size) return 'size';
        open.push({ value: (value as Record<string, unknown>)[key], depth: depth + 1 });
      }
    }
    if (size > schemaLimits.size) return 'size';
  }
  return 'fits';
}

/** The keywords whose schemas judge the same value as the schema they stand in. */
const sameValue: ReadonlySet<string> = new Set([
  'anyOf',
  'oneOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

/** The schemas that judge the same value as this one: its branches and what its `$ref` points at. */
export function* inPlace(schema: SchemaObject, refs: Refs): Generator<SchemaObject> {
  for (const [held, word] of subschemas(schema)) if (sameValue.has(word) && isObject(held)) yield held;
  const target = typeof schema.$ref === 'string' ? refs.target(schema.$ref, schema) : undefined;
  if (isObject(target)) yield target;
}
