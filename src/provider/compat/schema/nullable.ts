import { hasOwn } from '../../../json/value.ts';
import type { SchemaObject } from '../../../schema/types.ts';
import type { TargetRules } from './target-rules.ts';
import { typesIn } from './types-in.ts';

/** Makes a lowered schema accept null, in the way the target expresses it. */
export function makeNullable(schema: SchemaObject, rules: TargetRules): SchemaObject {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    if (takesNull(schema)) return schema;
    if (!rules.words.has('nullable')) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
    // Some servers reject `nullable` next to `anyOf`.
    const [first, ...rest] = anyOf;
    return { ...schema, anyOf: [makeNullable(first as SchemaObject, rules), ...rest] };
  }
  if (takesNull(schema)) return schema;
  if (rules.words.has('nullable')) return { ...schema, nullable: true };
  const types = typesIn(schema);
  const { const: only, ...rest } = schema;
  const members = hasOwn(schema, 'const') ? [only] : schema.enum;
  const composed = types?.some((type) => type === 'object' || type === 'array') && rules.bare;
  const unlisted = members !== undefined && rules.enums === 'texts and numbers';
  if (!types || composed || unlisted) return { anyOf: [schema, { type: 'null' }] };
  return { ...rest, type: [...types, 'null'], ...(members && { enum: [...members, null] }) };
}

const takesNull = (schema: SchemaObject): boolean =>
  schema.nullable === true ||
  typesIn(schema)?.includes('null') === true ||
  (schema.anyOf ?? []).some((form) => typeof form === 'object' && takesNull(form));
