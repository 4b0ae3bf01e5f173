import type { Problem } from '../../json/problem.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Path } from '../../json/value.ts';
import { valueAt } from '../lookup.ts';
import type { Checked, JsonSchema } from '../types.ts';
import { Interpreter } from '../validate/interpreter.ts';
import { describe, type Fault } from '../validate/messages.ts';

/** An issue of another validator. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
  /** The kind of problem and what was expected, if the validator says so. */
  readonly kind?: { readonly code: 'type'; readonly want: readonly string[] } | { code: 'format'; want: string };
  /** `here`: only about this path; `own`: about a rule that only the validator's message describes. */
  readonly about?: 'here' | 'own';
}

type Failed = Extract<Checked, { ok: false }>;

const most = 50;
const isWithin = (path: Path, outer: Path): boolean => outer.every((key, index) => path[index] === key);

/**
 * Reports one problem per path: in our words if the JSON Schema finds it too, otherwise in the validator's. Problems
 * that only the JSON Schema finds are ignored, because the validator decides and may convert such values.
 */
export const failuresOf = (issues: readonly Issue[], value: unknown, json: JsonSchema | undefined): Failed => {
  const found = json === undefined ? [] : new Interpreter(json).problems(value);
  const all = new Map<string, Problem>();
  const mild = new Set<Problem>();
  for (const issue of issues) {
    const { path, about } = issue;
    const written = writtenPart(value, path);
    const same = found.filter(
      (one) =>
        about !== 'own' &&
        (isWithin(one.path, path)
          ? about === undefined || one.path.length === path.length
          : isWithin(path, one.path) && written.length === path.length),
    );
    const problems = same.length > 0 ? same : [describe(faultOf(issue, value, written))];
    if (same.length === 0 && about !== 'own' && path.length > 0) for (const one of problems) mild.add(one);
    for (const problem of problems) if (!all.has(problem.message)) all.set(problem.message, problem);
  }
  const problems = [...all.values()];
  // A value of the wrong type needs no second problem.
  const mistyped = new Set(problems.flatMap(({ code, path }) => (code === 'type' ? path.join('\n') : [])));
  const told = problems.filter(({ code, path }) => code === 'type' || !mistyped.has(path.join('\n')));
  if (told.length === 0) return { ok: false, problems: [thrown('does not match its schema')] };
  // Beyond its limit the JSON Schema reports nothing, but those values may be coerced all the same.
  const isFull = found.length >= most;
  const failing = told.map((one) =>
    isFull && one.code === 'other' && mild.has(one) ? { ...one, code: 'type' as const } : one,
  );
  return { ok: false, problems: told.slice(0, most), ...(told.length > most && { failing }) };
};

const faultOf = ({ path, message, kind }: Issue, value: unknown, written: Path): Fault => {
  const received = valueAt(value, written);
  const isWritten = written.length === path.length;
  const isMissing = isWritten
    ? received === undefined && path.length > 0
    : /^Required$|received undefined$/.test(message);
  if (isMissing) return { path, code: 'required', want: {}, received: undefined };
  return isWritten && kind ? { path, received, ...kind } : { path, code: 'other', want: message, received };
};

/** The part of a path that exists in the model's value, not in the result of a preprocess step. */
const writtenPart = (value: unknown, path: Path): Path => {
  const end = path.findIndex((_, index) => {
    const holder = valueAt(value, path.slice(0, index));
    return typeof holder !== 'object' || holder === null;
  });
  return end < 0 ? path : path.slice(0, end);
};

/** The problem for a validator that threw, with its message. */
export const thrown = (error: unknown): Problem => {
  const want = error instanceof Error ? error.message : String(error);
  return describe({ path: [], code: 'other', want, received: undefined });
};

/** The error for an asynchronous schema, because `mend()` is synchronous. */
export const asyncSchema = (vendor: string): ToolmendError =>
  new ToolmendError('async_schema', `This ${vendor} schema checks asynchronously. Use a synchronous schema.`);
