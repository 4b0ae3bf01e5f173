import type { SchemaObject } from '../../src/schema/types.ts';

/** Merges the objects of an `allOf`, for types that can't express one. */
export function joined({ allOf = [], ...rest }: SchemaObject): SchemaObject {
  const all = allOf.filter((one) => typeof one === 'object');
  return {
    ...rest,
    properties: Object.assign({}, rest.properties, ...all.map((one) => one.properties)),
    required: [...(rest.required ?? []), ...all.flatMap((one) => one.required ?? [])],
  };
}
