import { hasOwn, isObject, type Path } from '../json/value.ts';
import { closestKey } from './closest-key.ts';
import { type Fault, wording } from './describe.ts';
import { expects } from './expects.ts';
import type { JsonSchema } from './json-schema.ts';
import { schemaAt } from './schema-at.ts';
import { union } from './union.ts';
import { valueAt } from './value-at.ts';

/** An issue of Zod 3 or 4: a code, a path, words, and what the code adds. */
export interface ZodIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly [more: string]: unknown;
}

interface Place {
  readonly path: Path;
  /** The value at the path, as the model wrote it. */
  readonly received: unknown;
  readonly json: () => JsonSchema | undefined;
}

type Reading = (issue: ZodIssue, place: Place) => readonly Fault[] | undefined;

/** Zod's names of types, where JSON has another. */
const typeNames: Readonly<Record<string, string>> = {
  int: 'integer',
  record: 'object',
  tuple: 'array',
  set: 'array',
  map: 'array',
  float: 'number',
  nonoptional: 'a value',
};
const formatNames: Readonly<Record<string, string>> = {
  datetime: 'date-time',
  guid: 'uuid',
  json_string: 'JSON text',
  ip: 'ipv4 or ipv6',
};
/** Formats whose own words say more than their name. */
const worded = new Set(['starts_with', 'ends_with', 'includes', 'lowercase', 'uppercase', 'startsWith', 'endsWith']);

const sizes: Readonly<Record<string, readonly [min: Fault['code'], max: Fault['code']]>> = {
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems'],
  set: ['minItems', 'maxItems'],
  object: ['minProperties', 'maxProperties'],
  record: ['minProperties', 'maxProperties'],
};
const numbers = new Set(['number', 'int', 'bigint']);

/** JSON's name of the type an issue wants; where Zod says a number the schema may say that it must be whole. */
const typeWanted = ({ expected }: ZodIssue, place: Pick<Place, 'path' | 'json'>): string | undefined => {
  if (typeof expected !== 'string') return undefined;
  const whole = expected === 'number' && /^integer\b/.test(expects(schemaAt(place.json(), place.path)) ?? '');
  return whole ? 'integer' : (typeNames[expected] ?? expected);
};

const typeFault: Reading = (issue, place) => {
  const { path, received } = place;
  const type = typeWanted(issue, place);
  if (type === undefined || type.includes(' | ')) return undefined;
  if (type === 'never') return [{ path, code: 'unknown', want: undefined, received }];
  return [{ path, code: 'type', want: [type], received }];
};

const choice =
  (word: string): Reading =>
  (issue, { path, received }) => {
    const allowed = issue[word];
    const want = Array.isArray(allowed) ? allowed : [allowed];
    return [{ path, code: want.length === 1 ? 'const' : 'enum', want, received }];
  };

const limit =
  (side: 0 | 1): Reading =>
  (issue, { path, received }) => {
    const origin = String(issue.origin ?? issue.type);
    const want = side === 0 ? issue.minimum : issue.maximum;
    if (typeof want !== 'number' && typeof want !== 'bigint') return undefined;
    const plain = side === 0 ? 'minimum' : 'maximum';
    const strict = side === 0 ? 'exclusiveMinimum' : 'exclusiveMaximum';
    const code = numbers.has(origin) ? (issue.inclusive === false ? strict : plain) : sizes[origin]?.[side];
    // The tables pair codes with numbers only.
    return code === undefined ? undefined : [{ path, code, want, received } as unknown as Fault];
  };

const formatFault: Reading = (issue, { path, received }) => {
  // Zod 3 tells of `startsWith` and the like by an object.
  const format = typeof issue.validation === 'object' ? undefined : (issue.format ?? issue.validation);
  if (typeof format !== 'string' || worded.has(format)) return undefined;
  if (format !== 'regex') return [{ path, code: 'format', want: formatNames[format] ?? format, received }];
  if (typeof issue.pattern !== 'string') return undefined;
  return [{ path, code: 'pattern', want: issue.pattern.replace(/^\/(.*)\/[a-z]*$/s, '$1'), received }];
};

const unknownKeys: Reading = ({ keys }, place) => {
  if (!Array.isArray(keys)) return undefined;
  const { path, received } = place;
  const schema = schemaAt(place.json(), place.path);
  const declared = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const unused = declared.filter((name) => !isObject(received) || !hasOwn(received, name));
  return keys.map((key: string) => ({
    path: [...path, key],
    code: 'unknown',
    want: closestKey(key, unused),
    received: valueAt(received, [key]),
  }));
};

const unionFault: Reading = (issue, place) => {
  const { path, received } = place;
  if (Array.isArray(issue.matches)) return [{ path, code: 'union', want: { matches: issue.matches }, received }];
  if (Array.isArray(issue.options)) return choice('options')(issue, place);
  // Zod 4 gives each branch's issues with paths from here, Zod 3 errors with paths from the root.
  const older = Array.isArray(issue.unionErrors);
  const branches = (older ? issue.unionErrors : issue.errors) as readonly unknown[] | undefined;
  if (branches === undefined || branches.length === 0) return undefined;
  const found = branches.map((branch) => {
    const issues = (older ? (branch as { issues: readonly ZodIssue[] }).issues : branch) as readonly ZodIssue[];
    const here = older ? issues.map((one) => ({ ...one, path: one.path.slice(path.length) })) : issues;
    return faultsOf(here, received, () => undefined);
  });
  return union(received, found).map((fault) => ({ ...fault, path: [...path, ...fault.path] }));
};

const keyFault: Reading = (issue, { path, received }) => {
  const issues = (issue.issues ?? []) as readonly ZodIssue[];
  const [first] = faultsOf(issues, path[path.length - 1], () => undefined);
  return first && [{ path, code: 'other', want: `its name ${wording(first).text}`, received }];
};

const readings: ReadonlyMap<string | undefined, Reading> = new Map<string, Reading>([
  ['invalid_type', typeFault],
  ['invalid_value', choice('values')],
  ['invalid_literal', choice('expected')],
  ['invalid_enum_value', choice('options')],
  ['too_small', limit(0)],
  ['too_big', limit(1)],
  ['invalid_format', formatFault],
  ['invalid_string', formatFault],
  [
    'not_multiple_of',
    (issue, { path, received }) => {
      const want = issue.divisor ?? issue.multipleOf;
      return typeof want === 'number' ? [{ path, code: 'multipleOf', want, received }] : undefined;
    },
  ],
  ['unrecognized_keys', unknownKeys],
  ['invalid_union', unionFault],
  ['invalid_union_discriminator', unionFault],
  ['invalid_key', keyFault],
  ['invalid_date', (_issue, { path, received }) => [{ path, code: 'format', want: 'date', received }]],
]);

/** Codes that, where nothing was given, only mean that something should have been. */
const absent = new Set([
  ...['invalid_type', 'invalid_value', 'invalid_literal', 'invalid_enum_value', 'invalid_union', 'invalid_date'],
  'invalid_union_discriminator',
]);

/** Whether the path leads through what the model wrote, not through what a preprocess made of it. */
const isWritten = (whole: unknown, path: Path): boolean => {
  const parent = valueAt(whole, path.slice(0, -1));
  return path.length === 0 || (typeof parent === 'object' && parent !== null);
};

/** What the model wrote at the path or, where a preprocess made the rest, above it. */
const writtenAt = (whole: unknown, path: Path): unknown => {
  let end = path.length;
  while (end > 0 && !isWritten(whole, path.slice(0, end))) end--;
  return valueAt(whole, path.slice(0, end));
};

/** Puts Zod's issues into our form; what the table does not know keeps Zod's own words. */
export const faultsOf = (
  issues: readonly ZodIssue[],
  whole: unknown,
  json: () => JsonSchema | undefined,
): readonly Fault[] => {
  const faults = issues.flatMap((issue): readonly Fault[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    const written = isWritten(whole, path);
    const received = writtenAt(whole, path);
    const nothing = written ? received === undefined : /^Required$|received undefined$/.test(issue.message);
    if (nothing && absent.has(issue.code ?? '')) {
      return [{ path, code: 'required', want: { expected: typeWanted(issue, { path, json }) }, received: undefined }];
    }
    const read = written ? readings.get(issue.code)?.(issue, { path, received, json }) : undefined;
    return read ?? [{ path, code: 'other', want: issue.message, received }];
  });
  // Zod measures a string where it wanted a list; a value of the wrong type needs no second reason.
  const mistyped = new Set(faults.flatMap(({ code, path }) => (code === 'type' ? path.join('\n') : [])));
  return faults.filter(({ code, path }) => code === 'type' || !mistyped.has(path.join('\n')));
};
