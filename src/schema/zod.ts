import type { Problem } from '../json/problem.ts';
import { AsyncSchemaError } from './async-schema-error.ts';
import type { Checked, Schema } from './checked.ts';
import { describe } from './describe.ts';
import type { JsonSchema } from './json-schema.ts';
import { thrown } from './thrown.ts';
import { faultsOf, type ZodIssue } from './zod-faults.ts';
import { zod3Json } from './zod3-json.ts';
import { zod4Json } from './zod4-json.ts';

/** What is asked of a Zod schema, of either version. */
export interface ZodLike {
  safeParse(value: unknown): { success: boolean; data?: unknown; error?: { issues?: readonly ZodIssue[] } };
  readonly _zod?: unknown;
  readonly _def?: unknown;
}

type Own = Record<string, unknown>;
const isHolder = (value: unknown): value is Own =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** True for Zod 4 (with `_zod`) and Zod 3 (with `_def.typeName`), told by what they can do. */
export const isZod = (source: unknown): source is ZodLike =>
  isHolder(source) &&
  typeof source.safeParse === 'function' &&
  (isHolder(source._zod) || (isHolder(source._def) && typeof source._def.typeName === 'string'));

const saysAsync = /^Encountered Promise during synchronous parse|^Async (?:refinement|transform) encountered/;

/** Zod's own parse decides, and its output is what the tool gets. */
export const fromZod = (source: ZodLike): Schema => {
  let known: { readonly json: JsonSchema | undefined } | undefined;
  const json = (): JsonSchema | undefined => {
    known ??= { json: isHolder(source._zod) ? zod4Json(source) : zod3Json(source) };
    return known.json;
  };
  const check = (value: unknown): Checked => {
    try {
      const result = source.safeParse(value);
      if (result.success) return { ok: true, value: result.data };
      return { ok: false, problems: tell(result.error?.issues ?? [], value, json) };
    } catch (error) {
      if (error instanceof Error && saysAsync.test(error.message)) throw new AsyncSchemaError('Zod');
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

const most = 50;
const tell = (issues: readonly ZodIssue[], value: unknown, json: () => JsonSchema | undefined): readonly Problem[] => {
  const problems = faultsOf(issues, value, json).map((fault) => describe(fault));
  const unlike = new Map(problems.map((problem) => [problem.message, problem]));
  if (unlike.size === 0) return [thrown(new Error('does not fit its schema'))];
  return [...unlike.values()].slice(0, most);
};
