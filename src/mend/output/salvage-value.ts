import type { Limits } from '../../json/limits.ts';
import { claimOf, type Problem, type ProblemCode } from '../../json/problem.ts';
import { readJson } from '../../json/read-json.ts';
import type { Repair } from '../../json/repair.ts';
import { isObject, ownCopy, type Path } from '../../json/value.ts';
import { coerce } from '../../schema/coerce/coerce.ts';
import { valueAt } from '../../schema/lookup.ts';
import type { Schema } from '../../schema/schema.ts';
import { checkIsValue, mendParsed, mendText, type PartialOf, valueSchemaOf, wantOf } from '../mend-value.ts';

/**
 * What a salvaged value assumes. `closed`: the text ends inside this value, which was closed there. `reading`: the text
 * has other readings. `dropped`: it doesn't match the schema and was removed. `missing`: it is required but there is
 * none. `invalid`: it is there, but breaks a limit of the schema.
 */
export type GuessKind = 'closed' | 'reading' | 'dropped' | 'missing' | 'invalid';

/** An assumption that a salvaged value is based on. */
export interface Guess {
  /** Where it was made, in the value as it was then; empty for the root. */
  readonly path: Path;
  readonly kind: GuessKind;
  /** A sentence for people. */
  readonly message: string;
  /** The value before, if it was removed. */
  readonly before?: unknown;
}

/** A value for display. Never run a tool with it: check `guesses`, or use `mendValue` for values that must be right. */
export interface SalvagedValue<Value = unknown> {
  /** `complete` if `mendValue` accepts it, `salvaged` if it is based on guesses, `none` if there is no value. */
  readonly status: 'complete' | 'salvaged' | 'none';
  readonly value: Value | undefined;
  /** Every assumption. Empty if the value is complete. */
  readonly guesses: readonly Guess[];
  /** Changes that need no assumption. */
  readonly repairs: readonly Repair[];
}

/** Options of `salvageValue`. */
export interface SalvageOptions {
  /** Limits; missing ones have their default. */
  readonly limits?: Partial<Limits>;
}

/**
 * Reads as much as possible of a text for display: closes what was truncated, and keeps the items and fields that match
 * the schema. Every assumption is in `guesses`. For values that code acts on, use `mendValue`.
 *
 * @example
 * const { value, guesses } = salvageValue('{"title": "Minutes", "points": ["budget", "hir', schema);
 * value; // { title: 'Minutes', points: ['budget', 'hir'] }
 * guesses[0]?.kind; // 'closed'
 */
export function salvageValue<const S = undefined>(
  source: unknown,
  schema?: S,
  options: SalvageOptions = {},
): SalvagedValue<PartialOf<S>> {
  checkIsValue(source);
  const checker = valueSchemaOf(schema);
  const out = typeof source === 'string' ? mendText(source, checker, options) : mendParsed(source, checker, options);
  if (out.status !== 'invalid')
    return { status: 'complete', value: out.input as PartialOf<S>, guesses: [], repairs: out.repairs };
  const read = typeof source === 'string' ? readAnyway(source, checker, options) : { value: source, guesses: [] };
  const { value, guesses } = fitted(read.value, checker, read.guesses);
  const status = value === undefined ? 'none' : 'salvaged';
  const none: Guess = { path: [], kind: 'reading', message: claimOf(out.problems[0] as Problem) };
  return {
    status,
    value: value as PartialOf<S> | undefined,
    guesses: guesses.length > 0 ? guesses : [none],
    repairs: out.repairs,
  };
}

interface Draft {
  readonly value: unknown;
  readonly guesses: readonly Guess[];
}

/** Reads a text with problems. */
function readAnyway(text: string, schema: Schema, options: SalvageOptions): Draft {
  const want = wantOf(schema);
  const { value, problems } = readJson(text, { ...options, want: want === 'text' ? 'any' : want });
  const guesses = problems.map(
    (problem): Guess => ({
      path: problem.path,
      kind: problem.code === 'truncated' ? 'closed' : 'reading',
      message: problem.message,
    }),
  );
  return { value, guesses };
}

/** Each round removes what the last check reported, which can uncover further problems. */
const mostRounds = 32;

/** Coerces a value, and removes what doesn't match its schema. */
function fitted(read: unknown, schema: Schema, found: readonly Guess[]): Draft {
  const guesses = [...found];
  let value = ownCopy(read);
  for (let round = 0; round < mostRounds && value !== undefined; round += 1) {
    if (schema.json !== undefined) value = ownCopy(coerce(value, schema.json).value);
    const checked = schema.check(value);
    if (checked.ok) break;
    const removed = removals(value, checked.problems);
    if (removed.length === 0) {
      guesses.push(...checked.problems.map(remaining));
      break;
    }
    for (const { path, problem } of removed) {
      guesses.push({ path, kind: 'dropped', message: problem.message, before: valueAt(value, path) });
      value = without(value, path);
    }
  }
  return { value, guesses };
}

const remaining = ({ path, code, message }: Problem): Guess => ({
  path,
  kind: code === 'required' ? 'missing' : 'invalid',
  message,
});

/** Problems of a value that has the right type. It can still be shown. */
const limits: ReadonlySet<ProblemCode> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'pattern',
  'format',
  'multipleOf',
  'other',
]);

interface Removal {
  readonly path: Path;
  readonly problem: Problem;
}

/** What to remove, last items first so that indexes stay valid: a wrong value, or the item that lacks a field. */
function removals(value: unknown, problems: readonly Problem[]): Removal[] {
  const found = new Map<string, Removal>();
  for (const problem of problems) {
    if (limits.has(problem.code)) continue;
    const path = problem.code === 'required' ? itemOf(problem.path) : problem.path;
    if (path && (path.length === 0 || valueAt(value, path) !== undefined))
      found.set(JSON.stringify(path), { path, problem });
  }
  const removed = [...found.values()].sort((one, other) => compare(other.path, one.path));
  // What is inside a removed value needs no removal.
  return removed.filter(({ path }) => !removed.some((other) => other.path !== path && isInside(path, other.path)));
}

/** The list item that a field belongs to, which can't be shown without the field. */
function itemOf(path: Path): Path | undefined {
  const index = path.findLastIndex((step) => typeof step === 'number');
  return index < 0 ? undefined : path.slice(0, index + 1);
}

const isInside = (path: Path, outer: Path): boolean =>
  path.length > outer.length && outer.every((step, index) => step === path[index]);

function compare(one: Path, other: Path): number {
  for (const [index, step] of one.entries()) {
    const there = other[index];
    if (there === undefined) return 1;
    if (step === there) continue;
    if (typeof step === 'number' && typeof there === 'number') return step - there;
    return String(step) < String(there) ? -1 : 1;
  }
  return one.length - other.length;
}

/** Removes a value from its container; the root becomes undefined. */
function without(root: unknown, path: Path): unknown {
  const last = path.at(-1);
  if (last === undefined) return undefined;
  const container = valueAt(root, path.slice(0, -1));
  if (Array.isArray(container)) container.splice(Number(last), 1);
  else if (isObject(container)) delete container[String(last)];
  return root;
}
