import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import { Refs } from './refs.ts';
import { subschemas } from './subschemas.ts';

const mostNodes = 1000;
const mostDepth = 200;
const definitions = new Set(['$defs', 'definitions']);

const mostRuns = 10_000;
const forks = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'dependentSchemas', 'dependencies'] as const;

/**
 * How deep a value may be for code made from a schema to be safe: 0 where no code may be made at all. A tree of schemas
 * must be small when its references are followed, because a shared reference costs ajv as much as a copy each time it is
 * run. A schema that holds itself and forks may be run again from every place it returns to itself, on each level of
 * the value: with three such places, 3^depth.
 */
export const compilable = (root: JsonSchema): number => {
  const refs = new Refs(root);
  const above = new Set<SchemaObject>();
  let nodes = 0;
  let forking = false;
  let returns = 0;

  const fits = (schema: unknown): boolean => {
    if (!isObject(schema)) return true;
    nodes++;
    if (above.has(schema)) {
      returns++;
      return true;
    }
    if (nodes > mostNodes || above.size > mostDepth || misread(schema)) return false;
    above.add(schema);
    forking ||= forks.some((word) => schema[word] !== undefined);
    for (const [sub, word] of subschemas(schema)) if (!definitions.has(word) && !fits(sub)) return false;
    for (const ref of [schema.$ref, schema.$dynamicRef, schema.$recursiveRef]) {
      if (typeof ref !== 'string') continue;
      const target = refs.target(ref, schema);
      if (target === undefined || !fits(target)) return false;
    }
    above.delete(schema);
    return true;
  };
  if (!fits(root)) return 0;
  if (returns === 0 || !forking) return Number.POSITIVE_INFINITY;
  return Math.floor(Math.log(mostRuns) / Math.log(Math.max(2, returns)));
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
  // ajv goes through long lists one by one for each value, and nests its code by the forms of a union.
  [schema.enum, schema.anyOf, schema.oneOf, schema.allOf].some((held) => Array.isArray(held) && held.length > 100) ||
  schema.$dynamicRef !== undefined ||
  schema.$recursiveRef !== undefined ||
  (schema.nullable === true && schema.type === undefined) ||
  // ajv skips a property of this name without a word.
  (typeof schema.properties === 'object' &&
    schema.properties !== null &&
    Object.hasOwn(schema.properties, '__proto__'));
