import { clip } from '../../json/clip.ts';
import { didYouMean, type Problem, problemAt, subjectOf } from '../../json/problem.ts';
import { type Path, typeName } from '../../json/value.ts';

/** The `want` of each kind of fault. */
export interface Wants {
  /** The expected type, and the field that requires it. */
  required: { readonly expected?: string | undefined; readonly because?: string | undefined };
  type: readonly string[];
  enum: readonly unknown[];
  const: readonly unknown[];
  minimum: number | bigint;
  maximum: number | bigint;
  exclusiveMinimum: number | bigint;
  exclusiveMaximum: number | bigint;
  minLength: number;
  maxLength: number;
  minItems: number;
  maxItems: number;
  minProperties: number;
  maxProperties: number;
  uniqueItems: readonly [number, number];
  pattern: string;
  format: string;
  multipleOf: number | bigint;
  /** The declared key that was probably meant. */
  unknown: string | undefined;
  /** The first fault of each form, or the indexes of the forms that match although only one may. */
  union: { readonly forms: readonly Fault[] } | { readonly matches: readonly number[] };
  /** The validator's own message. */
  other: string;
}

/** A problem before it is worded. The path can be relative until `describe` is called. */
export type Fault = {
  readonly [C in keyof Wants]: {
    readonly path: Path;
    readonly code: C;
    readonly want: Wants[C];
    readonly received: unknown;
  };
}[keyof Wants];

type Words = Pick<Problem, 'expected' | 'meant'> & { readonly text: string };
type Template<Want> = (want: Want, received: unknown, path: Path) => Words;

const shown = 80;
const listed = 100;
const formsShown = 6;

/** A value as short JSON. */
const literal = (value: unknown): string => {
  let text = typeName(value);
  try {
    text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? text);
  } catch {
    // What JSON can't express is named by its type.
  }
  return clip(text, shown);
};

/** Allowed values as the model should write them: plain words if that is clear, else JSON. */
const members = (values: readonly unknown[]): string => {
  const bare = values.every((value) => typeof value === 'string' && value !== '' && !/[,;"\n]|^\s|\s$/.test(value));
  const names = values.slice(0, listed).map((value) => (bare ? String(value) : literal(value)));
  if (values.length > listed) names.push(`and ${values.length - listed} more`);
  return names.join(', ');
};

const alternatives = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'nothing') : `${names.slice(0, -1).join(', ')} or ${names[names.length - 1]}`;

const size = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return typeof value === 'string' ? [...value].length : 0;
};

type Unit = 'characters' | 'items' | 'fields';
/** A limit on a number or, with a unit, on a size. */
const limit =
  (words: string, unit?: Unit): Template<number | bigint> =>
  (most, received) => {
    const expected = `${words} ${most}${unit ? ` ${unit}` : ''}`;
    const verb = unit === 'items' || unit === 'fields' ? 'have' : 'be';
    return { text: `must ${verb} ${expected}, got ${unit ? size(received) : literal(received)}`, expected };
  };
const choice: Template<readonly unknown[]> = (values, received) => {
  const expected = members(values);
  return { text: `must be one of: ${expected}; got ${literal(received)}`, expected };
};

/** All messages, so that the words are the same for every validator. */
const templates: { readonly [C in keyof Wants]: Template<Wants[C]> } = {
  required: ({ expected, because }) => ({
    text: `is required but missing${because === undefined ? '' : ` (it goes with '${because}')`}`,
    ...(expected === undefined ? {} : { expected }),
  }),
  type: (names, received) => {
    const expected = alternatives(names);
    return { text: `expected ${expected}, got ${typeName(received)}`, expected };
  },
  enum: choice,
  const: choice,
  minimum: limit('at least'),
  maximum: limit('at most'),
  exclusiveMinimum: limit('greater than'),
  exclusiveMaximum: limit('less than'),
  minLength: limit('at least', 'characters'),
  maxLength: limit('at most', 'characters'),
  minItems: limit('at least', 'items'),
  maxItems: limit('at most', 'items'),
  minProperties: limit('at least', 'fields'),
  maxProperties: limit('at most', 'fields'),
  uniqueItems: ([first, second]) => ({
    text: `must have unique items; items ${first} and ${second} are equal`,
    expected: 'unique items',
  }),
  pattern: (pattern) => ({ text: `must match pattern: ${pattern}`, expected: pattern }),
  format: (format) => ({ text: `must be a valid ${format}`, expected: format }),
  multipleOf: limit('a multiple of'),
  unknown: (name) => {
    const meant = name === undefined ? [] : [name];
    return { text: `is not known${didYouMean(meant)}`, ...(name !== undefined && { meant }) };
  },
  union: (want, _received, path) => {
    if ('matches' in want) {
      const which = alternatives(want.matches.map((form) => String(form + 1))).replace(' or ', ' and ');
      return { text: `fits more than one of its allowed forms (${which}) but must fit only one` };
    }
    const forms = [...new Set(want.forms.map((form) => formText(form, path)))];
    const more = forms.length > formsShown ? `; and ${forms.length - formsShown} more` : '';
    return { text: `fits none of its allowed forms: ${forms.slice(0, formsShown).join('; or ')}${more}` };
  },
  other: (words) => ({ text: words }),
};

/** The first problem of a form. A nested union is only mentioned, so that nesting doesn't multiply the text. */
const formText = (form: Fault, base: Path): string => {
  const path = [...base, ...form.path];
  const text = form.code === 'union' ? 'fits none of its allowed forms' : wording(form, path).text;
  return form.path.length === 0 ? text : subjectOf(path, form.code) + text;
};

/** The message of a fault without the field. */
export const wording = (fault: Fault, path: Path = fault.path): Words =>
  // The table pairs each code with its `want`, which the compiler can't infer.
  (templates[fault.code] as Template<never>)(fault.want as never, fault.received, path);

/**
 * Converts a fault to a problem with a message.
 *
 * @example describe({ path: ['config', 'timeout'], code: 'type', want: ['number'], received: null }).message
 * // Field 'config.timeout' expected number, got null
 */
export const describe = (fault: Fault, base: Path = []): Problem => {
  const path = base.length === 0 ? fault.path : [...base, ...fault.path];
  const { text, ...data } = wording(fault, path);
  return problemAt(path, fault.code, text, {
    ...data,
    ...(fault.received === undefined ? {} : { received: fault.received }),
  });
};
