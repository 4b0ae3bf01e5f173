import type { SchemaObject } from '../../src/schema/types.ts';

/** One object of several that all must hold, for types that know no such thing. */
export function joined({ allOf = [], ...rest }: SchemaObject): SchemaObject {
  const all = allOf.filter((one) => typeof one === 'object');
  return {
    ...rest,
    properties: Object.assign({}, rest.properties, ...all.map((one) => one.properties)),
    required: [...(rest.required ?? []), ...all.flatMap((one) => one.required ?? [])],
  };
}
