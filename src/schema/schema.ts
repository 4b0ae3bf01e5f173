/**
 * A common interface for all kinds of schemas: validates values, reports problems, and provides the JSON Schema for
 * coercion, feedback and providers.
 */
import { checkArgument, isObject } from '../json/value.ts';
import type { JsonSchema, Schema } from './types.ts';
import { checkerOf, exactly } from './validate/compile.ts';
import { fromStandard, isStandard } from './vendors/standard.ts';
import { fromZod, isZod } from './vendors/zod.ts';

export type { Checked, Schema } from './types.ts';

const none: Schema = { kind: 'none', json: undefined, check: (value) => ({ ok: true, value }) };

/** Number of calls after which a second compilation is worth it. */
const worthCompiling = 16;

/** The checker of a JSON Schema is created on first use, so that adding a thousand tools compiles nothing. */
const fromJson = (json: JsonSchema): Schema => {
  let checker: ReturnType<typeof checkerOf> | undefined;
  let exact: ((value: unknown) => boolean) | undefined;
  let uses = 0;
  return {
    kind: 'json',
    json,
    check(value) {
      checker ??= checkerOf(json);
      return checker.passes(value) ? { ok: true, value } : { ok: false, problems: checker.problems(value) };
    },
    passes(value) {
      checker ??= checkerOf(json);
      return checker.passes(value);
    },
    exact(value) {
      if (exact === undefined) {
        if (uses++ < worthCompiling) return false;
        exact = exactly(json);
      }
      return exact(value);
    },
  };
};

/**
 * Creates a `Schema` from Zod or anything else with `safeParse`, Standard Schema (`~standard`) or JSON Schema. Undefined and null accept
 * anything.
 *
 * @example schemaOf({ type: 'object', required: ['path'] }).check({})
 */
export const schemaOf = (source: unknown): Schema => {
  if (source === undefined || source === null) return none;
  if (isZod(source)) return fromZod(source);
  if (isStandard(source)) return fromStandard(source);
  // A validator that is neither would be read as a JSON Schema without keywords, which accepts anything.
  checkIsSchema(typeof source === 'boolean' || (isObject(source) && !('safeParse' in source)), source);
  return fromJson(source as JsonSchema);
};

export const checkIsSchema = (isRight: boolean, source: unknown): void =>
  checkArgument(isRight, 'schema', 'Zod, a Standard Schema or a JSON Schema', source, 'invalid_schema');
