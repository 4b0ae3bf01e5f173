/**
 * One face for every kind of schema: check a value, say what is wrong, and give the JSON Schema that coercion,
 * feedback and providers need. May import `json/`.
 */
import { ToolmendError } from '../json/toolmend-error.ts';
import { isObject } from '../json/value.ts';
import type { JsonSchema, Schema } from './types.ts';
import { checkerOf, exactly } from './validate/compile.ts';
import { fromStandard, isStandard } from './vendors/standard.ts';
import { fromZod, isZod } from './vendors/zod.ts';

export type { Checked, Schema } from './types.ts';

const none: Schema = { kind: 'none', json: undefined, check: (value) => ({ ok: true, value }) };

/** A tool called this often is worth a second compilation. */
const worthCompiling = 16;

/** A JSON Schema's checker is looked up when first asked, so that adding a thousand tools compiles nothing. */
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
 * The schema behind whatever a tool gives as one, told by what it can do: Zod (`safeParse`), Standard Schema
 * (`~standard`), else JSON Schema; nothing at all checks nothing.
 *
 * @example schemaOf({ type: 'object', required: ['path'] }).check({})
 */
export const schemaOf = (source: unknown): Schema => {
  if (source === undefined || source === null) return none;
  if (isZod(source)) return fromZod(source);
  if (isStandard(source)) return fromStandard(source);
  if (typeof source === 'boolean' || isObject(source)) return fromJson(source as JsonSchema);
  throw new ToolmendError(
    'invalid_schema',
    `Invalid schema: expected Zod, a Standard Schema or a JSON Schema, got a ${typeof source}.`,
  );
};
