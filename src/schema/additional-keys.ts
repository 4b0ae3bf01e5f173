import { hasOwn, isObject } from '../json/value.ts';
import type { SchemaObject } from './json-schema.ts';
import { compilePattern } from './pattern.ts';

/** The keys of a value that neither `properties` nor `patternProperties` name. */
export const additionalKeys = (value: object, schema: SchemaObject): string[] => {
  const declared = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties).map(compilePattern) : [];
  return Object.keys(value).filter(
    (key) => !hasOwn(declared, key) && !patterns.some((pattern) => pattern?.test(key) ?? false),
  );
};
