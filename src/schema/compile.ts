import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Problem } from '../json/problem.ts';
import { isObject } from '../json/value.ts';
import { compilable } from './compilable.ts';
import { describe } from './describe.ts';
import { equalItems } from './equal-items.ts';
import { formats } from './format.ts';
import { Interpreter } from './interpret.ts';
import { isMultiple } from './is-multiple.ts';
import type { JsonSchema } from './json-schema.ts';
import { compilePattern } from './pattern.ts';

/** Decides values of one JSON Schema, and says what is wrong with those that fail. */
export interface Checker {
  passes(value: unknown): boolean;
  problems(value: unknown): Problem[];
}

/** Whether this place lets code be made from text; asked once. */
let generates: boolean | undefined;
const mayGenerate = (): boolean => {
  if (generates === undefined) {
    try {
      new Function('');
      generates = true;
    } catch {
      generates = false;
    }
  }
  return generates;
};

/** ajv tells patterns apart by their text, so each must give its own. */
const regExp = (source: string) => {
  const pattern = compilePattern(source);
  return { test: (text: string) => pattern?.test(text) ?? true, toString: () => source };
};

const options: Options = {
  strict: false,
  validateSchema: false,
  meta: false,
  logger: false,
  addUsedSchema: false,
  formats: Object.fromEntries(formats),
  code: {
    regExp: Object.assign(regExp, { code: 'compilePattern' }),
  },
};

/** ajv's own are quadratic and inexact. */
const ownKeywords = {
  uniqueItems: {
    type: 'array',
    schemaType: 'boolean',
    test: (word: boolean, list: unknown[]) => !word || !equalItems(list),
  },
  multipleOf: { type: 'number', schemaType: 'number', test: (of: number, value: number) => isMultiple(value, of) },
} as const;

/** ajv's quick yes or no; undefined where it can't be had, and then the interpreter decides alone. */
const generate = (schema: JsonSchema, ownProperties: boolean): ValidateFunction | undefined => {
  if (!isObject(schema) || !mayGenerate()) return undefined;
  const draft = typeof schema.$schema === 'string' ? schema.$schema : '';
  try {
    // An instance of its own for each schema: a shared one would keep all it ever compiled, and refuse an `$id` twice.
    const ajv = /draft-0?[3-7]\b/.test(draft)
      ? new Ajv({ ...options, ownProperties })
      : new Ajv2020({ ...options, ownProperties });
    for (const [keyword, { test, ...rest }] of Object.entries(ownKeywords)) {
      ajv.removeKeyword(keyword);
      ajv.addKeyword({ keyword, ...rest, errors: false, validate: test });
    }
    return ajv.compile(schema);
  } catch {
    return undefined;
  }
};

/** Is a value nested deeper than this? */
const isDeeper = (value: unknown, room: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (room === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, room - 1)) return true;
  return false;
};

export interface CheckerOptions {
  /** False forces the interpreter. */
  readonly compiled?: boolean;
  /** False lets inherited properties count, which is faster; only for schemas that declare no inherited name. */
  readonly own?: boolean;
}

/**
 * A checker of a JSON Schema. ajv, compiled when first asked, gives the quick yes or no; the interpreter says what is
 * wrong, and decides alone where code can't be generated or would be dangerous (`compiled: false` forces that).
 */
export const checkerFor = (schema: JsonSchema, { compiled = true, own = true }: CheckerOptions = {}): Checker => {
  const interpreter = new Interpreter(schema);
  const interpreted = (value: unknown): boolean => {
    interpreter.forget();
    return interpreter.passes(value);
  };
  /** Generated code has thrown on odd pairs of schema and value; then the interpreter has the word. */
  const quickly = (run: ValidateFunction, value: unknown): boolean => {
    try {
      return run(value);
    } catch {
      return interpreted(value);
    }
  };
  let quick: ValidateFunction | undefined;
  const first = (value: unknown): boolean => {
    const deepest = compiled ? compilable(schema) : 0;
    quick = deepest > 0 ? generate(schema, own) : undefined;
    const run = quick;
    if (run === undefined) checker.passes = interpreted;
    else if (deepest === Number.POSITIVE_INFINITY) checker.passes = (one) => quickly(run, one);
    else checker.passes = (one) => (isDeeper(one, deepest) ? interpreted(one) : quickly(run, one));
    return checker.passes(value);
  };
  const checker: Checker = {
    passes: first,
    problems(value) {
      if (checker.passes(value)) return [];
      const words = quick?.errors?.[0];
      interpreter.forget();
      const problems = interpreter.problems(value);
      interpreter.forget();
      if (problems.length > 0) return problems;
      const path = (words?.instancePath ?? '').split('/').slice(1);
      return [
        describe({ path, code: 'other', want: words?.message ?? 'does not fit its schema', received: undefined }),
      ];
    },
  };
  return checker;
};
