import type { JsonSchema, SchemaObject } from '../../../src/schema/types.ts';
import { joined } from '../joined.ts';
import { Untranslatable } from '../untranslatable.ts';

/** The parameters of a function in the format of typia's `LlmJson`. */
export interface TypiaParameters extends Record<string, unknown> {
  readonly type: 'object';
  readonly $defs: Readonly<Record<string, unknown>>;
}

/** Translates a tool's schema: no tuples, no constants, no lists of types, no joined objects, references in `$defs`. */
export function typiaSchema(schema: SchemaObject): TypiaParameters {
  const $defs = Object.fromEntries(Object.entries(schema.$defs ?? {}).map(([name, one]) => [name, part(one)]));
  return { ...(part({ ...schema, $defs: {} }) as object), type: 'object', $defs };
}

const kept = ['minLength', 'maxLength', 'pattern', 'minimum', 'maximum', 'minItems', 'maxItems', 'enum'] as const;

function part(schema: JsonSchema): unknown {
  if (typeof schema === 'boolean') throw new Untranslatable('a boolean as a schema');
  if (schema.$ref) return { $ref: schema.$ref };
  if (schema.prefixItems || Array.isArray(schema.items)) throw new Untranslatable('a tuple');
  if (schema.allOf) return part(joined(schema));
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return { anyOf: forms.map(part) };
  if (Array.isArray(schema.type)) return { anyOf: schema.type.map((type) => part({ ...schema, type })) };
  const values = schema.const === undefined ? schema.enum : [schema.const];
  const type = schema.type ?? (values ? typeof values[0] : undefined);
  const words = Object.fromEntries(kept.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])));
  if (type === 'object') return objectOf(schema);
  if (type === 'array') return { type, items: part(schema.items ?? {}), ...words };
  return { type, ...words, ...(values && { enum: values }) };
}

const objectOf = ({ properties = {}, required = [], additionalProperties = true }: SchemaObject): unknown => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, part(one)])),
  required,
  additionalProperties: typeof additionalProperties === 'boolean' ? additionalProperties : part(additionalProperties),
});
