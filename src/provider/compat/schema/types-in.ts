import { hasOwn, isObject, typeName } from '../../../json/value.ts';
import { type SchemaObject, type TypeName, typeNames } from '../../../schema/types.ts';

const known: ReadonlySet<unknown> = new Set(typeNames);

/** Keywords that apply to one type only. */
const families: Readonly<Record<string, readonly string[]>> = {
  object:
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties'.split(
      ' ',
    ),
  array:
    'items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems'.split(
      ' ',
    ),
  string: 'minLength maxLength pattern contentEncoding contentMediaType contentSchema'.split(' '),
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'.split(' '),
};
const familyOf = new Map(
  Object.entries(families).flatMap(([type, words]) => words.map((word) => [word, type] as const)),
);

/** The types in a schema's `type`; undefined if it has no valid one. */
export function typesIn({ type }: SchemaObject): TypeName[] | undefined {
  const named = [type].flat().filter((one): one is TypeName => known.has(one));
  return named.length > 0 ? [...new Set(named)] : undefined;
}

/**
 * The types a schema implies: its `type`, the types of its `const` or `enum`, or the one type that its keywords apply
 * to. Undefined if it may be any.
 */
export function meantTypes(schema: SchemaObject): TypeName[] | undefined {
  const named = typesIn(schema);
  if (named) return named;
  const members = hasOwn(schema, 'const') ? [schema.const] : schema.enum;
  if (Array.isArray(members) && members.length > 0) return [...new Set(members.map(typeOf))];
  const about = new Set(Object.keys(schema).flatMap((word) => familyOf.get(word) ?? []));
  if (typeof schema.format === 'string') about.add('string');
  const [only, ...more] = about;
  return only !== undefined && more.length === 0 ? [only as TypeName] : undefined;
}

/** The JSON Schema type of a value. */
export const typeOf = (value: unknown): TypeName => typeName(value) as TypeName;

/** Whether a keyword applies to a type. General keywords apply to all. */
export function concerns(word: string, type: TypeName): boolean {
  const family = familyOf.get(word);
  return family === undefined || family === (type === 'integer' ? 'number' : type);
}

/** Whether a value has one of these types. */
export const isOfTypes = (value: unknown, types: readonly TypeName[]): boolean => {
  const type = typeOf(value);
  return types.some((one) => one === type || (one === 'integer' && Number.isInteger(value)));
};

/** Whether no value can have the types of both schemas. */
export const areDisjoint = (a: SchemaObject, b: SchemaObject): boolean => {
  const [one, other] = [typesIn(a), typesIn(b)];
  if (!one || !other || !isObject(a)) return false;
  const wide = (types: readonly TypeName[]): string[] => types.map((type) => (type === 'integer' ? 'number' : type));
  return !wide(one).some((type) => wide(other).includes(type));
};
