import type { JsonSchema, SchemaObject } from './json-schema.ts';
import { Refs } from './refs.ts';
import { subschemas } from './subschemas.ts';

const mostNodes = 2000;
const mostDepth = 200;
const definitions = new Set(['$defs', 'definitions']);

/**
 * Whether a schema is safe to turn into code: finite when its references are followed as a tree, and small even so.
 * A shared reference costs ajv as much as a copy each time it is run, so the tree is what counts.
 */
export const compilable = (root: JsonSchema): boolean => {
  const refs = new Refs(root);
  const above = new Set<SchemaObject>();
  let nodes = 0;

  const fits = (schema: JsonSchema): boolean => {
    if (typeof schema === 'boolean') return true;
    nodes++;
    if (nodes > mostNodes || above.size > mostDepth || above.has(schema) || misread(schema)) return false;
    above.add(schema);
    for (const [sub, word] of subschemas(schema)) if (!definitions.has(word) && !fits(sub)) return false;
    for (const ref of [schema.$ref, schema.$dynamicRef, schema.$recursiveRef]) {
      if (typeof ref !== 'string') continue;
      const target = refs.target(ref, schema);
      if (target === undefined || !fits(target)) return false;
    }
    above.delete(schema);
    return true;
  };
  return fits(root);
};

const isComposed = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What ajv reads otherwise than the specification, or than we do. */
const misread = (schema: SchemaObject): boolean =>
  // Beside `prefixItems` ajv lets an empty list pass `contains`, and it takes every item for evaluated.
  schema.contains !== undefined ||
  // Code for these can throw: it writes to what `patternProperties` has not set up.
  schema.unevaluatedProperties !== undefined ||
  schema.unevaluatedItems !== undefined ||
  // ajv's comparison of objects calls their `toString`, which a model can write.
  [schema.const, ...(Array.isArray(schema.enum) ? schema.enum : [])].some(isComposed) ||
  schema.$dynamicRef !== undefined ||
  schema.$recursiveRef !== undefined ||
  (schema.nullable === true && schema.type === undefined) ||
  // ajv skips a property of this name without a word.
  (typeof schema.properties === 'object' &&
    schema.properties !== null &&
    Object.hasOwn(schema.properties, '__proto__'));
