import { hasOwn, isObject, type Path } from '../json/value.ts';
import { Interpreter } from './interpret.ts';
import type { JsonSchema } from './json-schema.ts';

/** The schema under a path, where properties and items lead there without a choice; undefined elsewhere. */
export const schemaAt = (root: JsonSchema, path: Path): JsonSchema | undefined => {
  const refs = new Interpreter(root);
  let here: JsonSchema | undefined = refs.resolve(root);
  for (const key of path) {
    if (!isObject(here)) return undefined;
    here = step(here, key);
    if (here !== undefined) here = refs.resolve(here);
  }
  return here;
};

const step = (schema: JsonSchema, key: string | number): JsonSchema | undefined => {
  if (typeof schema !== 'object') return undefined;
  if (typeof key === 'number') {
    const tuple = Array.isArray(schema.prefixItems) ? schema.prefixItems : schema.items;
    const own: JsonSchema | undefined = Array.isArray(tuple) ? tuple[key] : undefined;
    return own ?? (Array.isArray(schema.items) ? schema.additionalItems : schema.items);
  }
  const { properties, additionalProperties } = schema;
  return properties !== undefined && hasOwn(properties, key) ? properties[key] : additionalProperties;
};
