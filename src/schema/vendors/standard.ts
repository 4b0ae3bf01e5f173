import type { Path } from '../../json/value.ts';
import { lazy } from '../lazy.ts';
import { valueAt } from '../lookup.ts';
import type { Checked, JsonSchema, Schema } from '../types.ts';
import { asyncSchema, failuresOf, thrown } from './issues.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
type Result = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** What is asked of a Standard Schema (version 1), with the ways some give their JSON Schema. */
export interface StandardLike {
  readonly '~standard': {
    readonly vendor: string;
    validate(value: unknown): Result | Promise<Result>;
    readonly jsonSchema?: { input(options: { target: string }): JsonSchema };
  };
  toJsonSchema?(): JsonSchema;
}

/** True for whatever has `~standard.validate`; ArkType's schemas are functions. */
export const isStandard = (source: unknown): source is StandardLike => {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return false;
  const standard = (source as Partial<StandardLike>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
};

const ways: readonly ((source: StandardLike) => JsonSchema | undefined)[] = [
  (source) => source['~standard'].jsonSchema?.input({ target: 'draft-2020-12' }),
  (source) => source['~standard'].jsonSchema?.input({ target: 'draft-07' }),
  (source) => source.toJsonSchema?.(),
];

const jsonOf = (source: StandardLike): JsonSchema | undefined => {
  for (const way of ways) {
    try {
      const json = way(source);
      if (typeof json === 'object' && json !== null) return json;
    } catch {
      // The next way may do.
    }
  }
  return undefined;
};

/** The schema's own `validate` decides; its JSON Schema, where there is one, finds the words. */
export const fromStandard = (source: StandardLike): Schema => {
  const { vendor } = source['~standard'];
  const json = lazy(() => jsonOf(source));
  const check = (value: unknown): Checked => {
    let result: Result | Promise<Result>;
    try {
      result = source['~standard'].validate(value);
    } catch (error) {
      return { ok: false, problems: [thrown(error)] };
    }
    if (result instanceof Promise || typeof (result as { then?: unknown }).then === 'function') {
      // Nobody waits for it, so its failure must not surface as an unhandled one.
      Promise.resolve(result).catch(() => undefined);
      throw asyncSchema(vendor);
    }
    if (!('issues' in result) || result.issues === undefined)
      return { ok: true, value: (result as { value: unknown }).value };
    return failuresOf(
      result.issues.map((issue) => ({ path: pathOf(issue, value), message: issue.message })),
      value,
      json(),
    );
  };
  return {
    kind: 'standard',
    get json() {
      return json();
    },
    check,
  };
};

/** Segments are keys or objects that hold one; an index may come as text. */
const pathOf = (issue: Issue, value: unknown): Path => {
  const path: (string | number)[] = [];
  for (const segment of issue.path ?? []) {
    const key = typeof segment === 'object' ? segment.key : segment;
    const inList = Array.isArray(valueAt(value, path));
    path.push(typeof key === 'number' || (inList && /^\d+$/.test(String(key))) ? Number(key) : String(key));
  }
  return path;
};
