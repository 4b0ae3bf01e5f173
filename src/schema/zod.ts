import { AsyncSchemaError } from './async-schema-error.ts';
import type { Checked, Schema } from './checked.ts';
import type { JsonSchema } from './json-schema.ts';
import { lazy } from './lazy.ts';
import { strips } from './strips.ts';
import { thrown } from './thrown.ts';
import { failuresOf, type Issue } from './told.ts';
import { zod3Json } from './zod3-json.ts';
import { zod4Json } from './zod4-json.ts';

/** An issue of Zod 3 or 4: a code, a path, words, and what the code adds. */
interface ZodIssue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly [more: string]: unknown;
}

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
  const json = lazy(() => (isHolder(source._zod) ? zod4Json(source) : zod3Json(source)));
  const minded = lazy(() => withoutStripping(json()));
  const check = (value: unknown): Checked => {
    try {
      const result = source.safeParse(value);
      if (result.success) return { ok: true, value: result.data };
      return tell(result.error?.issues ?? [], value, minded());
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

/** Issues whose parts tell more than they do: the branches of a union, the names of keys. */
const deep = /^invalid_(?:union|key|element)/;
/** Formats whose own words say more than the pattern they come to. */
const worded = /_with$|^includes$/;

const tell = (issues: readonly ZodIssue[], value: unknown, json: JsonSchema | undefined): Checked =>
  failuresOf(
    issues.flatMap((issue): Issue[] => {
      const { message, code = '', keys, expected, format = issue.validation } = issue;
      const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
      if (Array.isArray(keys)) return keys.map((key: string) => ({ path: [...path, key], message }));
      // Zod 3 tells of `startsWith` and the like by an object.
      if (code === 'custom' || isHolder(format) || worded.test(String(format)))
        return [{ path, message, about: 'own' }];
      const kind =
        code === 'invalid_type'
          ? ({ code: 'type', want: [String(expected)] } as const)
          : typeof format === 'string' && format !== 'regex'
            ? ({ code: 'format', want: format } as const)
            : undefined;
      return [{ path, message, ...(kind && { kind }), ...(!deep.test(code) && { about: 'here' }) }];
    }),
    value,
    json,
  );

/** Keys that are stripped are not minded. */
const withoutStripping = (json: JsonSchema | undefined): JsonSchema | undefined => {
  if (json === undefined) return json;
  try {
    return JSON.parse(
      JSON.stringify(json, (_, held) => {
        if (!isHolder(held) || held[strips] !== true) return held;
        const { additionalProperties, unevaluatedProperties, ...rest } = held;
        return rest;
      }),
    );
  } catch {
    // A default that JSON cannot hold: the schema as it is must do.
    return json;
  }
};
