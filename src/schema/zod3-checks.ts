import type { SchemaObject } from './json-schema.ts';

/** A check of a Zod 3 string or number. */
export interface Zod3Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly regex?: RegExp;
  readonly inclusive?: boolean;
}

type Rows = Readonly<Record<string, (check: Zod3Check) => SchemaObject>>;

const escaped = (text: unknown): string => String(text).replace(/[$()*+.?[\\\]^{|}/]/g, '\\$&');

const strings: Rows = {
  min: ({ value }) => ({ minLength: Number(value) }),
  max: ({ value }) => ({ maxLength: Number(value) }),
  length: ({ value }) => ({ minLength: Number(value), maxLength: Number(value) }),
  // A pattern with flags has no form in JSON Schema; Zod itself still checks it.
  regex: ({ regex }) => (regex === undefined || /[ims]/.test(regex.flags) ? {} : { pattern: regex.source }),
  startsWith: ({ value }) => ({ pattern: `^${escaped(value)}` }),
  endsWith: ({ value }) => ({ pattern: `${escaped(value)}$` }),
  includes: ({ value }) => ({ pattern: escaped(value) }),
};
/** Checks that are formats, by JSON Schema's names; Zod 3's `time` has no zone, so it is none. */
const formats: ReadonlyMap<string, string> = new Map([
  ...['email', 'uuid', 'date', 'duration'].map((kind) => [kind, kind] as const),
  ['url', 'uri'],
  ['datetime', 'date-time'],
]);
const formatOf = (kind: string): SchemaObject | undefined => {
  const format = formats.get(kind);
  return format === undefined ? undefined : { format };
};

const numbers: Rows = {
  int: () => ({ type: 'integer' }),
  min: ({ value, inclusive }) => ({ [inclusive === false ? 'exclusiveMinimum' : 'minimum']: Number(value) }),
  max: ({ value, inclusive }) => ({ [inclusive === false ? 'exclusiveMaximum' : 'maximum']: Number(value) }),
  multipleOf: ({ value }) => ({ multipleOf: Number(value) }),
};

/** Each check's words side by side; a second pattern goes into `allOf`. */
const read = (rows: Rows, checks: readonly Zod3Check[]): SchemaObject => {
  const words: SchemaObject = {};
  for (const check of checks) {
    const found = Object.hasOwn(rows, check.kind) ? rows[check.kind]?.(check) : formatOf(check.kind);
    if (found?.pattern !== undefined && words.pattern !== undefined) words.allOf = [...(words.allOf ?? []), found];
    else Object.assign(words, found);
  }
  return words;
};

/** The keywords for a Zod 3 string's checks. */
export const stringWords = (checks: readonly Zod3Check[]): SchemaObject => read(strings, checks);
/** The keywords for a Zod 3 number's checks. */
export const numberWords = (checks: readonly Zod3Check[]): SchemaObject => read(numbers, checks);
