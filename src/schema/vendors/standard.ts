import { lazy } from '../../json/text-cache.ts';
import type { Path } from '../../json/value.ts';
import { valueAt } from '../lookup.ts';
import type { Checked, JsonSchema, Schema } from '../types.ts';
import { asyncSchema, failuresOf, thrown } from './issues.ts';

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}
type Result = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly Issue[] };

/** The part of a Standard Schema (version 1) that is used, with the ways to get its JSON Schema. */
export interface StandardLike {
  readonly '~standard': {
    readonly vendor: string;
    validate(value: unknown): Result | Promise<Result>;
    readonly jsonSchema?: { input(options: { target: string }): JsonSchema };
  };
  toJsonSchema?(): JsonSchema;
}

/** Whether a value has `~standard.validate`. ArkType schemas are functions. */
export const isStandard = (source: unknown): source is StandardLike =>
  typeof (source as Partial<StandardLike> | null | undefined)?.['~standard']?.validate === 'function';

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
      // Falls through to the next way.
    }
  }
  return undefined;
};

/** Creates a `Schema` from a Standard Schema. Its `validate` decides; its JSON Schema, if any, is used for messages. */
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
      // Prevents an unhandled rejection.
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

/** Segments are keys, or objects with a key. An index can be text. */
const pathOf = (issue: Issue, value: unknown): Path => {
  const path: (string | number)[] = [];
  for (const segment of issue.path ?? []) {
    const key = typeof segment === 'object' ? segment.key : segment;
    const inList = Array.isArray(valueAt(value, path));
    path.push(typeof key === 'number' || (inList && /^\d+$/.test(String(key))) ? Number(key) : String(key));
  }
  return path;
};
