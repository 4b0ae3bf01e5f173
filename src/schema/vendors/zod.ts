import { lazy } from '../../json/text-cache.ts';
import { isObject } from '../../json/value.ts';
import { strips } from '../strips.ts';
import type { Checked, JsonSchema, Schema, SchemaObject, TypeName } from '../types.ts';
import { Refs, subschemas } from '../validate/refs.ts';
import { asyncSchema, failuresOf, type Issue, thrown } from './issues.ts';

/** A Zod 3 or 4 issue. */
interface ZodIssue {
  readonly code?: string;
  readonly path?: readonly PropertyKey[];
  readonly message: string;
  readonly [more: string]: unknown;
}

/** The part of a Zod schema that is used, in both versions. */
interface ZodLike {
  safeParse(value: unknown): {
    success: boolean;
    data?: unknown;
    error?: { issues?: readonly ZodIssue[] };
  };
  readonly _zod?: unknown;
  readonly _def?: unknown;
}

type Own = Record<string, unknown>;
const isHolder = (value: unknown): value is Own =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Whether a value is a Zod 4 (with `_zod`) or Zod 3 schema (with `_def.typeName`), or has only `safeParse`. */
export const isZod = (source: unknown): source is ZodLike =>
  isHolder(source) &&
  typeof source.safeParse === 'function' &&
  (isHolder(source._zod) || !('~standard' in source) || (source._def as Own)?.typeName !== undefined);

const saysAsync = /^Encountered Promise during synchronous parse|^Async (?:refinement|transform) encountered/;

/** Creates a `Schema` from Zod. Zod's own parse decides, and its output goes to the tool. */
export const fromZod = (source: ZodLike): Schema => {
  const json = lazy(() => (isHolder(source._zod) ? zod4Json(source) : source._def ? zod3Json(source) : undefined));
  const minded = lazy(() => withoutStripping(json()));
  const check = (value: unknown): Checked => {
    try {
      const result = source.safeParse(value);
      if (result.success) return { ok: true, value: result.data };
      return tell(result.error?.issues ?? [], value, minded());
    } catch (error) {
      if (error instanceof Error && saysAsync.test(error.message)) throw asyncSchema('Zod');
      return { ok: false, problems: [thrown(error)] };
    }
  };
  return {
    kind: 'zod',
    get json() {
      return json();
    },
    check,
  };
};

/** Issues whose nested issues say more: branches of a union, names of keys. */
const deep = /^invalid_(?:union|key|element)/;
/** Formats whose message says more than their pattern. */
const worded = /_with$|^includes$/;

const tell = (issues: readonly ZodIssue[], value: unknown, json: JsonSchema | undefined): Checked =>
  failuresOf(
    issues.flatMap((issue): Issue[] => {
      const { message, code = '', keys, expected, format = issue.validation, path: at = [] } = issue;
      const path = at.map((key) => (typeof key === 'number' ? key : String(key)));
      // Its message lists all keys, of which there may be thousands.
      if (Array.isArray(keys))
        return keys.map((key: string) => ({
          path: [...path, key],
          message: `Unrecognized key: ${JSON.stringify(key)}`,
        }));
      // Zod 3 reports `startsWith` and similar checks as an object.
      if (code === 'custom' || isHolder(format) || worded.test(String(format)))
        return [{ path, message, about: 'own' }];
      const kind =
        code === 'invalid_type'
          ? ({ code: 'type', want: [String(expected)] } as const)
          : typeof format === 'string' && format !== 'regex'
            ? ({ code: 'format', want: format } as const)
            : undefined;
      return [{ path, message, ...(kind && { kind }), ...(!deep.test(code) && { about: 'here' }) }];
    }),
    value,
    json,
  );

/** Ignores keys that Zod strips. */
const withoutStripping = (json: JsonSchema | undefined): JsonSchema | undefined => {
  if (json === undefined) return json;
  try {
    return JSON.parse(
      JSON.stringify(json, (_, held) => {
        if (!isHolder(held) || (held as SchemaObject)[strips] !== true) return held;
        const { additionalProperties, unevaluatedProperties, ...rest } = held;
        return rest;
      }),
    );
  } catch {
    // For a default that JSON can't express, the schema is used unchanged.
    return json;
  }
};

/** The definition of a Zod 3 schema: its kind, and kind-specific fields. */
interface Def {
  readonly typeName: string;
  readonly [more: string]: unknown;
}
interface Zod3 {
  readonly _def: Def;
}

/** State of a conversion: the schemas above (for recursion), and the names of recursive ones. */
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

/** A native enum's object also maps numbers back to names. */
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
/** Wrappers that don't change the input, by the field with the inner schema. */
const through: Readonly<Record<string, string>> = {
  ZodOptional: 'innerType',
  ZodCatch: 'innerType',
  ZodNullable: 'innerType',
  ZodReadonly: 'innerType',
  ZodBranded: 'type',
  ZodEffects: 'schema',
  ZodPipeline: 'in',
};

/** Whether a field is optional, within any wrappers. */
const isOptional = (field: Zod3): boolean => {
  let here: Zod3 | undefined = field;
  while (here !== undefined) {
    const { typeName } = here._def;
    if (optionals.has(typeName)) return true;
    here = here._def[through[typeName] ?? ''] as Zod3 | undefined;
  }
  return false;
};

/** One row for each kind of Zod 3 schema. Unknown kinds accept anything. */
const rows: ReadonlyMap<string, Row> = new Map<string, Row>([
  ['ZodString', ({ checks }) => ({ type: 'string', ...read(strings, checks) })],
  ['ZodNumber', ({ checks }) => ({ type: 'number', ...read(numbers, checks) })],
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

/** Converts a schema. A recursive one becomes a definition with references. */
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
  const json =
    rows.get(def.typeName)?.(def, to) ??
    (wrapped !== undefined ? to(wrapped) : isUnwritable(def) ? { type: def.typeName as TypeName } : {});
  // What `preprocess` reads may be of any type.
  if ((def.effect as Kind | undefined)?.type === 'preprocess') dropType(json);
  walk.open.delete(schema);
  const name = walk.names.get(schema);
  if (name === undefined) {
    const { description } = def;
    return typeof description === 'string' && isObject(json) ? { ...json, description } : json;
  }
  walk.$defs[name] = json;
  return { $ref: `#/$defs/${name}` };
};

/** The JSON Schema of a Zod 3 schema's input; undefined if it can't be converted. */
const zod3Json = (source: unknown): JsonSchema | undefined => {
  try {
    const walk: Walk = { names: new Map(), open: new Set(), $defs: {} };
    const json = convert(source as Zod3, walk);
    if (!isObject(json)) return json;
    return strippedTogether(walk.names.size === 0 ? json : { ...json, $defs: walk.$defs });
  } catch {
    return undefined;
  }
};

/** A check of a Zod 3 string or number. */
interface Zod3Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly regex?: RegExp;
  readonly inclusive?: boolean;
}

type Rows = Readonly<Record<string, (check: Zod3Check) => SchemaObject>>;

const escaped = (text: unknown): string => String(text).replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');

const sameFormat = ({ kind }: Zod3Check): SchemaObject => ({ format: kind });

const strings: Rows = {
  min: ({ value }) => ({ minLength: Number(value) }),
  max: ({ value }) => ({ maxLength: Number(value) }),
  length: ({ value }) => ({ minLength: Number(value), maxLength: Number(value) }),
  // JSON Schema has no pattern flags; Zod itself still checks the pattern.
  regex: ({ regex }) => (regex === undefined || /[ims]/.test(regex.flags) ? {} : { pattern: regex.source }),
  startsWith: ({ value }) => ({ pattern: `^${escaped(value)}` }),
  endsWith: ({ value }) => ({ pattern: `${escaped(value)}$` }),
  includes: ({ value }) => ({ pattern: escaped(value) }),
  // Zod 3's `time` has no zone, so it isn't a format of JSON Schema.
  email: sameFormat,
  uuid: sameFormat,
  date: sameFormat,
  duration: sameFormat,
  url: () => ({ format: 'uri' }),
  datetime: () => ({ format: 'date-time' }),
};

const numbers: Rows = {
  int: () => ({ type: 'integer' }),
  min: ({ value, inclusive }) => ({ [inclusive === false ? 'exclusiveMinimum' : 'minimum']: Number(value) }),
  max: ({ value, inclusive }) => ({ [inclusive === false ? 'exclusiveMaximum' : 'maximum']: Number(value) }),
  multipleOf: ({ value }) => ({ multipleOf: Number(value) }),
};

/** Merges the keywords of all checks. A second pattern goes into `allOf`. */
const read = (rows: Rows, checks: unknown): SchemaObject => {
  const words: SchemaObject = {};
  for (const check of checks as readonly Zod3Check[]) {
    const found = Object.hasOwn(rows, check.kind) ? rows[check.kind]?.(check) : undefined;
    if (found?.pattern !== undefined && words.pattern !== undefined) words.allOf = [...(words.allOf ?? []), found];
    else Object.assign(words, found);
  }
  return words;
};

interface Kind {
  readonly type?: unknown;
  readonly typeName?: string;
  readonly coerce?: unknown;
  readonly catchall?: unknown;
  /** What a pipe reads. */
  readonly in?: Seen['zodSchema'];
}

interface Seen {
  readonly zodSchema: { readonly _zod: { readonly def: Kind } };
  readonly jsonSchema: SchemaObject;
}

/** Types that JSON can't express. As types of a JSON Schema they are refused when a tool is added. */
const unwritable = /^(Zod)?(date|bigint|set|map|symbol|nan)$/i;
const isUnwritable = ({ type, typeName, coerce }: Kind): boolean =>
  unwritable.test((typeName ?? type) as string) && !coerce;

const dropType = (json: JsonSchema): unknown =>
  unwritable.test((json as SchemaObject).type as string) && delete (json as SchemaObject).type;

const override = ({ zodSchema, jsonSchema }: Seen): void => {
  const { def } = zodSchema._zod;
  if (def.in?._zod.def.type === 'transform') dropType(jsonSchema);
  if (isUnwritable(def)) jsonSchema.type = def.type as TypeName;
  if (def.type !== 'object' || def.catchall !== undefined) return;
  jsonSchema.additionalProperties = false;
  // Zod copies its result as JSON, so the marker is a string until then.
  jsonSchema[marker] = true;
};

const marker = 'x-strip';

/** The JSON Schema of a Zod 4 schema's input; undefined if Zod can't provide one. */
const zod4Json = (source: unknown): JsonSchema | undefined => {
  try {
    // An unexpected shape throws, which is caught.
    const standard = (source as { '~standard': { jsonSchema: { input(options: unknown): SchemaObject } } })[
      '~standard'
    ];
    const json = standard.jsonSchema.input({
      target: 'draft-2020-12',
      libraryOptions: { unrepresentable: 'any', override },
    });
    return strippedTogether(json);
  } catch {
    return undefined;
  }
};

/**
 * An intersection of stripping objects accepts the keys of all its parts, so no part may forbid those of the others.
 * The rest is forbidden once, for the whole.
 */
const strippedTogether = (root: SchemaObject): SchemaObject => {
  const refs = new Refs(root);
  const seen = new Set<SchemaObject>();
  const open: SchemaObject[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next[marker] === true) {
      delete next[marker];
      next[strips] = true;
    }
    for (const [sub] of subschemas(next)) if (isObject(sub)) open.push(sub);
  }
  // Innermost first, so that nested intersections are already done.
  for (const schema of [...seen].reverse()) if (Array.isArray(schema.allOf)) loosen(schema, schema.allOf, refs);
  return root;
};

const loosen = (whole: SchemaObject, parts: JsonSchema[], refs: Refs): void => {
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) continue;
    const target = typeof part.$ref === 'string' ? refs.target(part.$ref, part) : part;
    if (!isObject(target) || (target as SchemaObject)[strips] !== true) continue;
    const { additionalProperties, unevaluatedProperties, [strips]: _strips, ...rest }: SchemaObject = target;
    parts[index] = rest;
    whole.unevaluatedProperties = false;
    whole[strips] = true;
  }
};
