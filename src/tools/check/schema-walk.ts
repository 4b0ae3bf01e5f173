import { isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { type Refs, subschemas } from '../../schema/validate/refs.ts';

/** A schema within a definition. */
export interface Place {
  readonly schema: unknown;
  /** Its location for messages: `parameters.properties.user.address[].zip`. */
  readonly field: string;
  /** Prefix for the locations of its properties. */
  readonly below: string;
  /** Whether it describes a value of its own. A branch of a union may leave the type to the schema around it. */
  readonly typed: boolean;
  /** For a branch, the outermost schema of the same value, whose names it may require. */
  readonly whole?: SchemaObject | undefined;
}

/** All schemas within a schema, breadth first. The schema must be within the size limits. */
export function schemaPlaces(root: JsonSchema, field = 'parameters'): Place[] {
  const places: Place[] = [{ schema: root, field, below: `${field}.properties`, typed: false }];
  // The list grows during the loop.
  for (const place of places) {
    if (isObject(place.schema)) for (const next of inside(place.schema as SchemaObject, place)) places.push(next);
  }
  return places;
}

/** Inside `not`, undeclared properties may be required. */
const anything: SchemaObject = { patternProperties: { '': true } };
const forValues = new Set(['properties', 'prefixItems', 'items', '$defs', 'definitions']);

/** The subschemas of a schema, with their locations. */
const inside = (schema: SchemaObject, { field, below, whole = schema }: Place): Place[] =>
  [...subschemas(schema)].map(([held, word, key]) => {
    const at = key === undefined ? '' : Array.isArray(schema[word]) ? `[${key}]` : `.${key}`;
    const isItem = word === 'items' || word === 'prefixItems';
    const name = word === 'properties' ? below + at : isItem ? field + (at || '[]') : `${field}.${word}${at}`;
    const isRest = word === 'items' && Array.isArray(schema.prefixItems);
    const outermost = word === 'not' ? anything : sameValue.has(word) ? whole : undefined;
    return { schema: held, field: name, below: name, typed: forValues.has(word) && !isRest, whole: outermost };
  });

/** Limits of a definition. Larger ones are mistakes or attacks, and would slow down every request. */
export const schemaLimits = { size: 1024 * 1024, depth: 200 } as const;

/**
 * Whether a schema is within the limits, measured as JSON text. Not recursive, and stops at the first exceeded limit,
 * so that even a cyclic schema can't take long or overflow the stack.
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

/** Keywords whose schemas apply to the same value. */
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

/** The schemas that apply to the same value: branches and the target of `$ref`. */
export function* inPlace(schema: SchemaObject, refs: Refs): Generator<SchemaObject> {
  for (const [held, word] of subschemas(schema)) if (sameValue.has(word) && isObject(held)) yield held;
  const target = typeof schema.$ref === 'string' ? refs.target(schema.$ref, schema) : undefined;
  if (isObject(target)) yield target;
}
