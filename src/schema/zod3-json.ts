import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import { strips } from './strips.ts';
import { numberWords, stringWords, type Zod3Check } from './zod3-checks.ts';
import { strippedTogether } from './zod4-json.ts';

/** What Zod 3 keeps of a schema: its kind by name, and whatever that kind needs. */
interface Def {
  readonly typeName: string;
  readonly [more: string]: unknown;
}
interface Zod3 {
  readonly _def: Def;
}

/** Where one conversion stands: the schemas above (for recursion), and those that were met again. */
interface Walk {
  readonly names: Map<Zod3, string>;
  readonly open: Set<Zod3>;
  readonly $defs: Record<string, JsonSchema>;
}

type Row = (def: Def, to: (schema: unknown) => JsonSchema) => JsonSchema;

const mayBeNull = (json: JsonSchema): JsonSchema =>
  typeof json === 'object' && typeof json.type === 'string' && json.enum === undefined && json.const === undefined
    ? { ...json, type: [json.type, 'null'] }
    : { anyOf: [json, { type: 'null' }] };

const lengths = ({ minLength, maxLength, exactLength }: Def): SchemaObject => {
  const [least, most] = [minLength, maxLength].map((limit) => (exactLength ?? limit) as { value: number } | null);
  return { ...(least && { minItems: least.value }), ...(most && { maxItems: most.value }) };
};

const union: Row = ({ options }, to) => {
  const forms = options instanceof Map ? options.values() : (options as unknown[]);
  return { anyOf: [...forms].map(to) };
};

/** A native enum's object also leads from its numbers back to their names. */
const nativeValues = (values: Record<string, string | number>): (string | number)[] =>
  Object.keys(values)
    .filter((key) => typeof values[String(values[key])] !== 'number')
    .map((key) => values[key] as string | number);

const withDefault: Row = ({ innerType, defaultValue }, to) => {
  const json = to(innerType);
  if (!isObject(json)) return json;
  try {
    return { ...json, default: (defaultValue as () => unknown)() };
  } catch {
    return json;
  }
};

const object: Row = (def, to) => {
  const shape = (typeof def.shape === 'function' ? def.shape() : def.shape) as Record<string, Zod3>;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [key, field] of Object.entries(shape)) {
    properties[key] = to(field);
    if (!isOptional(field)) required.push(key);
  }
  const rest = def.catchall as Zod3 | undefined;
  const open = rest !== undefined && rest._def.typeName !== 'ZodNever';
  const others: SchemaObject = open
    ? { additionalProperties: to(rest) }
    : def.unknownKeys === 'passthrough'
      ? {}
      : { additionalProperties: false, ...(def.unknownKeys === 'strip' ? { [strips]: true } : {}) };
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), ...others };
};

const optionals = new Set(['ZodOptional', 'ZodDefault', 'ZodCatch', 'ZodAny', 'ZodUnknown', 'ZodUndefined', 'ZodVoid']);
/** What is wrapped around a schema and changes nothing of what goes in, by where it keeps the schema. */
const through: Readonly<Record<string, string>> = {
  ZodOptional: 'innerType',
  ZodCatch: 'innerType',
  ZodNullable: 'innerType',
  ZodReadonly: 'innerType',
  ZodBranded: 'type',
  ZodEffects: 'schema',
  ZodPipeline: 'in',
};

/** Whether a field may be left out, seen through what is wrapped around it. */
const isOptional = (field: Zod3): boolean => {
  let here: Zod3 | undefined = field;
  while (here !== undefined) {
    const { typeName } = here._def;
    if (optionals.has(typeName)) return true;
    here = here._def[through[typeName] ?? ''] as Zod3 | undefined;
  }
  return false;
};

/** One row for each kind of Zod 3 schema; a kind that is not here may be anything. */
const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['ZodString', ({ checks }) => ({ type: 'string', ...stringWords(checks as Zod3Check[]) })],
  ['ZodNumber', ({ checks }) => ({ type: 'number', ...numberWords(checks as Zod3Check[]) })],
  ['ZodBoolean', () => ({ type: 'boolean' })],
  ['ZodNull', () => ({ type: 'null' })],
  ['ZodNever', () => false],
  ['ZodLiteral', ({ value }) => ({ const: value })],
  ['ZodEnum', ({ values }) => ({ type: 'string', enum: values as unknown[] })],
  ['ZodNativeEnum', ({ values }) => ({ enum: nativeValues(values as Record<string, string | number>) })],
  ['ZodDefault', withDefault],
  ['ZodNullable', ({ innerType }, to) => mayBeNull(to(innerType))],
  ['ZodLazy', ({ getter }, to) => to((getter as () => unknown)())],
  ['ZodObject', object],
  ['ZodArray', (def, to) => ({ type: 'array', items: to(def.type), ...lengths(def) })],
  [
    'ZodTuple',
    ({ items, rest }, to) => ({
      type: 'array',
      prefixItems: (items as unknown[]).map(to),
      items: rest ? to(rest) : false,
      minItems: (items as unknown[]).length,
    }),
  ],
  [
    'ZodRecord',
    ({ keyType, valueType }, to) => {
      const { type, ...names } = to(keyType) as SchemaObject;
      const limited = Object.keys(names).length > 0 ? { propertyNames: names } : {};
      return { type: 'object', ...limited, additionalProperties: to(valueType) };
    },
  ],
  ['ZodUnion', union],
  ['ZodDiscriminatedUnion', union],
  ['ZodIntersection', ({ left, right }, to) => ({ allOf: [to(left), to(right)] })],
]);

/** Converts one schema; one that is met inside itself becomes a definition and references to it. */
const convert = (schema: Zod3, walk: Walk): JsonSchema => {
  if (walk.open.has(schema)) {
    const name = walk.names.get(schema) ?? `schema${walk.names.size}`;
    walk.names.set(schema, name);
    return { $ref: `#/$defs/${name}` };
  }
  walk.open.add(schema);
  const def = schema._def;
  const to = (sub: unknown): JsonSchema => convert(sub as Zod3, walk);
  const wrapped = def[through[def.typeName] ?? ''];
  const json = rows.get(def.typeName)?.(def, to) ?? (wrapped === undefined ? {} : to(wrapped));
  walk.open.delete(schema);
  const name = walk.names.get(schema);
  if (name === undefined) {
    const { description } = def;
    return typeof description === 'string' && isObject(json) ? { ...json, description } : json;
  }
  walk.$defs[name] = json;
  return { $ref: `#/$defs/${name}` };
};

/** The JSON Schema of what goes into a Zod 3 schema; undefined where it can't be read. */
export const zod3Json = (source: unknown): JsonSchema | undefined => {
  try {
    const walk: Walk = { names: new Map(), open: new Set(), $defs: {} };
    const json = convert(source as Zod3, walk);
    if (!isObject(json)) return json;
    return strippedTogether(walk.names.size === 0 ? json : { ...json, $defs: walk.$defs });
  } catch {
    return undefined;
  }
};
