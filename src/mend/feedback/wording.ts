import type { Problem } from '../../json/problem.ts';
import { cached } from '../../json/text-cache.ts';
import { isObject, type Path } from '../../json/value.ts';
import { schemaAt } from '../../schema/lookup.ts';
import type { JsonSchema, SchemaObject } from '../../schema/types.ts';
import { preview, shorten } from '../preview.ts';

/** Problems in the structure of the value: those at this path, and those below it by key or index. */
export interface Faults {
  readonly here: Problem[];
  readonly below: Map<string | number, Faults>;
}

const nothing = (): Faults => ({ here: [], below: new Map() });

/** Groups problems by path. */
export function faultsOf(problems: readonly Problem[]): Faults {
  const root = nothing();
  for (const problem of problems) {
    let place = root;
    for (const step of problem.path) place = cached(place.below, step, nothing);
    place.here.push(problem);
  }
  return root;
}

/** Endings of plurals, irregular ones first. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/(child)ren$|(alias|status|bus)es$|(cache)s$|(series)$/i, '$1$2$3$4'],
  [/(ind|vert)ices$/i, '$1ex'],
  [/(matr)ices$/i, '$1ix'],
  [/(mov|cook)ies$/i, '$1ie'],
  [/([^aeiou])ies$/i, '$1y'],
  [/(ss|sh|ch|x|zz)es$/i, '$1'],
  [/([^sui])s$/i, '$1'],
];

/** The singular of a list's name: `edits` → `edit`; undefined if the name isn't a plural. */
export function singular(name: string): string | undefined {
  const ending = endings.find(([pattern]) => pattern.test(name));
  return ending && name.replace(ending[0], ending[1]);
}

/** A path without indexes, so that the same problem in several items has one name. */
export const general = (path: Path): string => path.map((step) => (typeof step === 'number' ? '[]' : step)).join('.');

/**
 * Describes a path: `field` within its nearest list, and `each` for the items of that list. `edits.0.path` is `{ field:
 * 'path', each: 'each edit' }`.
 */
export function subject(path: Path): { readonly field: string; readonly each: string | undefined } {
  const last = path.findLastIndex((step) => typeof step === 'number');
  const field = path.slice(last + 1).join('.');
  return { field, each: last < 0 ? undefined : eachOf(path.slice(0, last)) };
}

function eachOf(list: Path): string {
  const name = list.findLast((step) => typeof step === 'string');
  if (name === undefined) return 'each item';
  const inner = list.at(-1) === name ? singular(String(name)) : undefined;
  return inner ? `each ${inner}` : `each item of '${name}'`;
}

/** Appends the problem's suggestion to a sentence, unless the sentence already says what was meant. */
export function suggested(sentence: string, { suggestion, meant }: Problem): string {
  if (!suggestion || meant) return sentence;
  const isSentence = /^\p{Lu}/u.test(suggestion);
  const joint = /[.?!]$/.test(sentence) ? ' ' : isSentence ? '. ' : '; ';
  return `${sentence}${joint}${suggestion}`;
}

const most = 8;
const width = 400;

/** The schema of the fields with problems, one line each. */
export function schemaPart(schema: JsonSchema, problems: readonly Problem[]): string {
  const lines = new Map<string, string>();
  for (const { path, code, expected } of problems) {
    // The schema of an unknown field is that of its parent, with the known names.
    const isUnknown = code === 'unknown' || code === 'forbidden_key';
    const place = isUnknown ? path.slice(0, -1) : path;
    const name = general(place).replaceAll('.[]', '[]') || 'Root object';
    const said = schemaAt(schema, place);
    if (lines.has(name) || !said) continue;
    // A form of a union has only one of the values that all forms allow together.
    const choice = 'const' in said && expected?.includes(', ') ? `one of: ${shorten(expected, width)}` : undefined;
    const words = isUnknown ? `fields ${known(said)}` : (choice ?? preview(said, width));
    lines.set(name, `${name}${isRequired(schema, place) ? ' (required)' : ''}: ${words}`);
    if (lines.size === most) break;
  }
  return [...lines.values()].join('\n');
}

const known = ({ properties }: SchemaObject): string => shorten(Object.keys(properties ?? {}).join(', '), width);

function isRequired(schema: JsonSchema, path: Path): boolean {
  const parent = path.length > 0 ? schemaAt(schema, path.slice(0, -1)) : undefined;
  return isObject(parent) && Array.isArray(parent.required) && parent.required.includes(path.at(-1) as string);
}

/**
 * Removes duplicate problems: a field that is missing because its key is misspelled or nested elsewhere is reported
 * with that key.
 */
export function distinct(problems: readonly Problem[]): readonly Problem[] {
  const elsewhere = new Set(
    problems.flatMap(({ path, meant = [], inside = [] }) =>
      [...meant, ...inside].map((name) => place([...path.slice(0, -1), name])),
    ),
  );
  const told = new Map<string, Problem>();
  for (const problem of problems) {
    const isTold = problem.code === 'required' && elsewhere.has(place(problem.path));
    if (!isTold && !told.has(problem.message)) told.set(problem.message, problem);
  }
  return told.size === problems.length ? problems : [...told.values()];
}

const place = (path: Path): string => JSON.stringify(path);
