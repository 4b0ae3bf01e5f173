import { claimOf, namesOf, type Problem, type ProblemCode } from '../../json/problem.ts';
import { isExact, isObject, type Path } from '../../json/value.ts';
import { layoutOf } from '../../schema/coerce/layout.ts';
import { isSeveral } from '../../schema/coerce/scalars.ts';
import { schemaAt } from '../../schema/lookup.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { preview, shorten } from '../preview.ts';
import { general, subject, suggested } from './wording.ts';

const most = 10;
const longest = 240;

type Row = (problem: Problem, schema: JsonSchema | undefined) => string;

const smallerPieces = 'Send it again in smaller pieces: several calls with less in each';

/** Without the received value, which the list of problems shows. */
const must =
  (verb: string): Row =>
  ({ path, expected }) =>
    `${place(path)} must ${verb} ${expected}`;
const choice = must('be one of:');

const rows: Partial<Record<ProblemCode, Row>> = {
  required: ({ path }, schema) => {
    const { field, each } = subject(path);
    const form = schema && formOf(schemaAt(schema, path), schema);
    return `${field || 'The value'} is required${each ? ` for ${each}` : ''}${form ? `: send ${form}` : ''}`;
  },
  type: ({ path, expected, received, suggestion }) => {
    const example = suggestion ? undefined : readingOf(expected, received);
    return `${place(path)} must be ${withArticle(expected ?? 'another type')}${example ? `, for example ${example}` : ''}`;
  },
  enum: choice,
  const: choice,
  unknown,
  union: (problem, schema) => {
    const form = schema && formOf(schemaAt(schema, problem.path), schema);
    return `${place(problem.path)} ${form ? `must be ${form}` : claimOf(problem)}`;
  },
  syntax: (_, schema) => `Send the arguments as one JSON object${skeleton(schema)}`,
  truncated: ({ expected }) => (expected ? `End the arguments with ${expected}` : smallerPieces),
  size: () => smallerPieces,
  keys: () => smallerPieces,
  depth: () => 'Nest less deeply: send fewer objects and lists inside each other',
  duplicate_key: ({ path }) => `Give ${path.length > 0 ? place(path) : 'each key'} once`,
  forbidden_key: ({ path }) => `Leave out ${place(path)}`,
  unsafe_integer: ({ path }) => `${place(path)} must be between -9007199254740991 and 9007199254740991`,
  unknown_tool: ({ meant }) => (meant ? `Call ${namesOf(meant)}` : 'Call one of the available tools by its exact name'),
  not_exact: ({ message }) => message,
  other: ({ message }) => message,
};

/**
 * What to do about each problem. The same problem in several list items is mentioned once.
 *
 * @example recommend([{ path: ['edits', 0, 'path'], code: 'required', message: '…' }]) // ['path is required for each edit']
 */
export function recommend(problems: readonly Problem[], schema?: JsonSchema): string[] {
  const said = new Set<string>();
  const faults = new Set<string>();
  for (const problem of problems) {
    const fault = `${problem.code} ${general(problem.path)} ${problem.expected ?? ''}`;
    if (faults.has(fault)) continue;
    faults.add(fault);
    said.add(shorten(sentence(problem, schema), longest));
    if (said.size === most) break;
  }
  return [...said];
}

function sentence(problem: Problem, schema: JsonSchema | undefined): string {
  const { code } = problem;
  // A limit is repeated without what was received.
  const verb = /Items$|Properties$/.test(code) ? 'have' : 'be';
  const row = rows[code] ?? (/^(?:min|max|exclusive|multiple)/.test(code) ? must(verb) : undefined);
  const base = row ? row(problem, schema) : `${place(problem.path)} ${claimOf(problem)}`;
  return problem.code === 'unknown' ? base : suggested(base, problem);
}

function unknown({ path, meant }: Problem, schema: JsonSchema | undefined): string {
  if (meant) return `Rename ${place(path)} to ${namesOf(meant)}`;
  const known = schemaAt(schema, path.slice(0, -1))?.properties;
  const names = Object.keys(known ?? {}).slice(0, most);
  return `Leave out ${place(path)}${names.length > 0 ? `; known here: ${names.join(', ')}` : ''}`;
}

/** A path as the start of a sentence: `limit`, `path of each edit`, `Each file`, `The arguments`. */
function place(path: Path): string {
  if (path.length === 0) return 'The arguments';
  const { field, each } = subject(path);
  if (!each) return field;
  return field ? `${field} of ${each}` : `E${each.slice(1)}`;
}

function skeleton(schema: JsonSchema | undefined): string {
  const required = schemaAt(schema, [])?.required;
  if (!Array.isArray(required) || required.length === 0) return '';
  return ` with ${preview(required.slice(0, most), 120).slice(1, -1).replaceAll(',', ', ')}`;
}

const mostForms = 5;

/** A type with its article: `a number`, `an integer`. Other words stay unchanged. */
export function withArticle(expected: string): string {
  if (!/^[a-z]+(?:(?:, | or )[a-z]+)*$/.test(expected)) return expected;
  return expected.replace(/[a-z]+/g, (word) =>
    word === 'or' || word === 'null' ? word : `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`,
  );
}

/** A short description of a schema: `a list of strings`, `an object with path, find`; undefined if it says nothing. */
function formOf(schema: JsonSchema | undefined, root: JsonSchema, depth = 0): string | undefined {
  const form = layoutOf(root).interpreter.resolve(schema ?? true);
  if (!isObject(form) || depth > 3) return undefined;
  const words = formWords(form, root, depth);
  if (depth > 0 || typeof form.description !== 'string') return words;
  const about = shorten(form.description.trim().split(/[.\n]/, 1)[0] ?? '', 80);
  return words && about ? `${words} (${about})` : words;
}

function formWords(form: SchemaObject, root: JsonSchema, depth: number): string | undefined {
  if ('const' in form) return preview(form.const, 60);
  if (Array.isArray(form.enum)) return anyOf(form.enum.map((value) => preview(value, 60)));
  const union = form.anyOf ?? form.oneOf;
  if (Array.isArray(union)) return anyOf(union.slice(0, 12).map((branch) => formOf(branch, root, depth + 1)));
  if (Array.isArray(form.type)) return withArticle(form.type.join(' or '));
  if (form.type === 'array') return listForm(form, root, depth);
  if (form.type === 'object' || isObject(form.properties)) return objectForm(form);
  if (typeof form.format === 'string' && form.type === 'string') return `a ${form.format} string`;
  return typeof form.type === 'string' ? withArticle(form.type) : undefined;
}

function anyOf(forms: readonly (string | undefined)[]): string | undefined {
  const known = [...new Set(forms.filter((form) => form !== undefined))];
  if (known.length === 0) return undefined;
  return known.length > mostForms ? `${known.slice(0, mostForms).join(', ')} …` : known.join(' or ');
}

function listForm(form: SchemaObject, root: JsonSchema, depth: number): string {
  const held = Array.isArray(form.items) ? undefined : form.items;
  const resolved = layoutOf(root).interpreter.resolve(held ?? true);
  const item = isObject(resolved) ? resolved : undefined;
  if (item?.type === 'object') return `a list of objects${objectForm(item).slice('an object'.length)}`;
  if (typeof item?.type === 'string' && !item.enum) return `a list of ${item.type}s`;
  const words = item && formOf(item, root, depth + 1);
  return words ? `a list of ${words}` : 'a list';
}

function objectForm(form: SchemaObject): string {
  const required = Array.isArray(form.required) ? form.required : [];
  const names = required.length > 0 ? required : Object.keys(form.properties ?? {});
  if (names.length === 0) return 'an object';
  return `an object with ${names.slice(0, 8).join(', ')}${names.length > 8 ? ' …' : ''}`;
}

const small = 60;

/** What the received value most plausibly means, by expected type; undefined if that would be a guess. */
const readings: Readonly<Record<string, (received: unknown) => unknown>> = {
  number: onlyNumber,
  integer: (received) => {
    const number = onlyNumber(received);
    return Number.isSafeInteger(number) ? number : undefined;
  },
  string: (received) => (typeof received === 'number' || typeof received === 'boolean' ? String(received) : undefined),
  boolean: (received) =>
    received === 1 || received === 'on' ? true : received === 0 || received === 'off' ? false : undefined,
  array: asList,
};

/** A small example of the expected type made from the received value, as JSON; undefined if none is obvious. */
export function readingOf(expected: string | undefined, received: unknown): string | undefined {
  const type = expected?.replace(/ or null$/, '') ?? '';
  const reading = Object.hasOwn(readings, type) ? readings[type]?.(received) : undefined;
  if (reading === undefined) return undefined;
  const text = preview(reading, small + 1);
  return text.length <= small ? text : undefined;
}

function onlyNumber(received: unknown): number | undefined {
  if (typeof received !== 'string' || received.length > small) return undefined;
  // Numbers are never extracted from words: the number in "12 years" may have to be in months.
  if (!/^\s*-?\d+(?:\.\d+)?\s*$/.test(received)) return undefined;
  const number = Number(received);
  return isExact(number, received.trim()) ? number : undefined;
}

function asList(received: unknown): unknown[] | undefined {
  if (typeof received === 'number' || typeof received === 'boolean') return [received];
  // Text that may be one item or several is ambiguous.
  if (typeof received !== 'string' || received.length > small || /[<>"]/.test(received) || isSeveral(received))
    return undefined;
  return received.trim() === '' ? undefined : [received];
}
