import { cached } from '../../json/text-cache.ts';
import { equal, hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { formats } from './formats.ts';
import type { Fault, Wants } from './messages.ts';
import { compilePattern } from './patterns.ts';

/** Checks a keyword on a value. An invalid keyword is ignored. */
type Assertion = (word: unknown, value: unknown, schema: SchemaObject) => readonly Fault[] | undefined;

const fault = <C extends keyof Wants>(code: C, want: Wants[C], received: unknown): readonly Fault[] => [
  // The signature checks the pairing of code and want.
  { path: [], code, want, received } as unknown as Fault,
];

const types: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map<string, (value: unknown) => boolean>([
  ['null', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['number', Number.isFinite],
  ['integer', Number.isInteger],
  ['string', (value) => typeof value === 'string'],
  ['array', Array.isArray],
  ['object', isObject],
]);

const type: Assertion = (word, value, schema) => {
  const names: unknown[] = Array.isArray(word) ? word : [word];
  if (names.some((name) => types.get(name)?.(value) ?? true)) return undefined;
  if (schema.nullable === true && value === null) return undefined;
  return fault('type', [...names.map(String), ...(schema.nullable === true ? ['null'] : [])], value);
};

/** Length in code points, as JSON Schema counts. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length++;
  return length;
};

type Limit = 'Length' | 'Items' | 'Properties';
const sizes: Readonly<Record<Limit, (value: unknown) => number | undefined>> = {
  Length: (value) => (typeof value === 'string' ? lengthOf(value) : undefined),
  Items: (value) => (Array.isArray(value) ? value.length : undefined),
  Properties: (value) => (isObject(value) ? Object.keys(value).length : undefined),
};

/** A keyword that limits a size. */
const limited =
  (side: 'min' | 'max', of: Limit): Assertion =>
  (word, value) => {
    const size = sizes[of](value);
    if (typeof word !== 'number' || size === undefined) return undefined;
    return (side === 'min' ? size < word : size > word) ? fault(`${side}${of}`, word, value) : undefined;
  };

type Bound = 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum';
const bounds: Readonly<Record<Bound, (value: number, limit: number) => boolean>> = {
  minimum: (value, limit) => value >= limit,
  maximum: (value, limit) => value <= limit,
  exclusiveMinimum: (value, limit) => value > limit,
  exclusiveMaximum: (value, limit) => value < limit,
};
/** A keyword that limits a number. Draft 4 writes `exclusiveMinimum: true` next to `minimum`. */
const range =
  (plain: Bound, exclusive: Bound): Assertion =>
  (word, value, schema) => {
    const code = schema[exclusive] === true ? exclusive : plain;
    if (typeof word !== 'number' || typeof value !== 'number' || bounds[code](value, word)) return undefined;
    return fault(code, word, value);
  };

const missing = (names: unknown, value: unknown, schema: SchemaObject, because?: string): Fault[] => {
  if (!Array.isArray(names) || !isObject(value)) return [];
  const declared: Record<string, JsonSchema> = isObject(schema.properties) ? schema.properties : {};
  return names
    .filter((name): name is string => typeof name === 'string' && !hasOwn(value, name))
    .slice(0, 50)
    .map((name) => {
      const expected = hasOwn(declared, name) ? expects(declared[name]) : undefined;
      return { path: [name], code: 'required', want: { expected, because }, received: undefined };
    });
};

const dependents: Assertion = (word, value, schema) => {
  if (!isObject(word) || !isObject(value)) return undefined;
  return some(Object.keys(word).flatMap((key) => (hasOwn(value, key) ? missing(word[key], value, schema, key) : [])));
};

const some = (faults: readonly Fault[]): readonly Fault[] | undefined => (faults.length > 0 ? faults : undefined);

/** A keyword for strings. Unknown formats and unsupported patterns accept everything. */
const onText =
  (code: 'pattern' | 'format', testOf: (word: string) => ((text: string) => boolean) | undefined): Assertion =>
  (word, value) =>
    typeof word !== 'string' || typeof value !== 'string' || (testOf(word)?.(value) ?? true)
      ? undefined
      : fault(code, word, value);

const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

/** Whether a value is allowed. Scalars are looked up in a set, because lists may check each item. */
function holds(members: readonly unknown[], value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return members.some((member) => equal(member, value));
  return cached(sets, members, () => new Set(members)).has(value);
}

/** Keywords that check a value without other schemas. */
export const assertions: ReadonlyMap<string, Assertion> = new Map<string, Assertion>([
  ['type', type],
  ['enum', (word, value) => (!Array.isArray(word) || holds(word, value) ? undefined : fault('enum', word, value))],
  ['const', (word, value) => (word === undefined || equal(word, value) ? undefined : fault('const', [word], value))],
  ...(['Length', 'Items', 'Properties'] as const).flatMap((of): [string, Assertion][] => [
    [`min${of}`, limited('min', of)],
    [`max${of}`, limited('max', of)],
  ]),
  ['minimum', range('minimum', 'exclusiveMinimum')],
  ['maximum', range('maximum', 'exclusiveMaximum')],
  ['exclusiveMinimum', range('exclusiveMinimum', 'exclusiveMinimum')],
  ['exclusiveMaximum', range('exclusiveMaximum', 'exclusiveMaximum')],
  [
    'multipleOf',
    (word, value) =>
      typeof word !== 'number' || word <= 0 || typeof value !== 'number' || isMultiple(value, word)
        ? undefined
        : fault('multipleOf', word, value),
  ],
  ['pattern', onText('pattern', (word) => compilePattern(word)?.test)],
  ['format', onText('format', (word) => formats.get(word))],
  [
    'uniqueItems',
    (word, value) => {
      const pair = word === true && Array.isArray(value) ? equalItems(value) : undefined;
      return pair === undefined ? undefined : fault('uniqueItems', pair, value);
    },
  ],
  ['required', (word, value, schema) => some(missing(word, value, schema))],
  ['dependentRequired', dependents],
  ['dependencies', dependents],
]);

/** A short description of a schema; undefined if there is none. */
const expects = (schema: JsonSchema | undefined): string | undefined => {
  if (!isObject(schema)) return undefined;
  const types = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : [];
  if (Array.isArray(schema.enum)) return `one of: ${schema.enum.slice(0, 20).map(String).join(', ')}`;
  if (schema.const !== undefined) return String(schema.const);
  if (types.length > 0) return types.join(' or ');
  const forms = [schema.anyOf, schema.oneOf].find(Array.isArray);
  if (forms === undefined) return undefined;
  const each = forms.map((form) => (isObject(form) && typeof form.type === 'string' ? form.type : undefined));
  return each.includes(undefined) ? undefined : [...new Set(each)].join(' or ');
};

/** A finite number as digits and exponent, exactly as written. */
const decimal = (value: number): { digits: bigint; exponent: number } => {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
};

/** Whether a number is a multiple of another in decimal notation: 0.3 is one of 0.1, although not in binary. */
export const isMultiple = (value: number, of: number): boolean => {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  if (!Number.isFinite(value) || !Number.isFinite(of) || of === 0) return false;
  const a = decimal(value);
  const b = decimal(of);
  const least = Math.min(a.exponent, b.exponent);
  const scaled = (part: typeof a): bigint => part.digits * 10n ** BigInt(part.exponent - least);
  return scaled(a) % scaled(b) === 0n;
};

/** The same text for all equal values. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
};

/** Indexes of the first two equal items, found in one pass. */
export const equalItems = (list: readonly unknown[]): readonly [number, number] | undefined => {
  const scalars = new Map<unknown, number>();
  const composed = new Map<string, number>();
  for (const [index, item] of list.entries()) {
    const deep = typeof item === 'object' && item !== null;
    const key = deep ? canonical(item) : item;
    const seen: Map<unknown, number> = deep ? composed : scalars;
    const first = seen.get(key);
    if (first !== undefined) return [first, index];
    seen.set(key, index);
  }
  return undefined;
};
