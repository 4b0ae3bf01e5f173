import { isObject } from '../json/value.ts';
import { isSchema } from './applicators.ts';
import { type Fault, wording } from './describe.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import type { Validator } from './judge.ts';
import { formsByTag } from './tagged-forms.ts';
import { union } from './union.ts';

/** Undefined where the keyword is satisfied, else a way to find out what is wrong. */
type Judgement = (
  word: unknown,
  value: unknown,
  schema: SchemaObject,
  judge: Validator,
) => (() => readonly Fault[]) | undefined;

const other = (want: string, received: unknown): readonly Fault[] => [{ path: [], code: 'other', want, received }];
const number = (word: unknown, otherwise: number): number => (typeof word === 'number' ? word : otherwise);

const explain = (value: unknown, forms: readonly JsonSchema[], judge: Validator): readonly Fault[] => {
  const [named, second] = formsByTag(value, forms, judge) ?? [];
  if (named !== undefined && second === undefined) return judge.faults(value, forms[named] as JsonSchema);
  const branches: (readonly Fault[])[] = [];
  for (const form of forms) branches.push(judge.faults(value, form));
  return union(value, branches);
};

/** The places of the forms that may fit: those its tag names, else all. */
const placesOf = (value: unknown, forms: readonly JsonSchema[], judge: Validator): Iterable<number> =>
  formsByTag(value, forms, judge) ?? forms.keys();

function* fitting(value: unknown, forms: readonly JsonSchema[], judge: Validator): Iterable<JsonSchema> {
  for (const index of placesOf(value, forms, judge)) yield forms[index] as JsonSchema;
}

/** The keywords that weigh one schema against others. */
export const judgements: ReadonlyMap<string, Judgement> = new Map<string, Judgement>([
  [
    'anyOf',
    (word, value, _schema, judge) => {
      if (!Array.isArray(word)) return undefined;
      for (const form of fitting(value, word, judge))
        if (!isSchema(form) || judge.passes(value, form)) return undefined;
      return () => explain(value, word, judge);
    },
  ],
  [
    'oneOf',
    (word, value, _schema, judge) => {
      if (!Array.isArray(word) || !(formsByTag(value, word, judge) || word.every(isSchema))) return undefined;
      const matches: number[] = [];
      for (const index of placesOf(value, word, judge))
        if (judge.passes(value, word[index] as JsonSchema)) matches.push(index);
      if (matches.length === 1) return undefined;
      if (matches.length > 1) return () => [{ path: [], code: 'union', want: { matches }, received: value }];
      return () => explain(value, word, judge);
    },
  ],
  [
    'not',
    (word, value, _schema, judge) =>
      isSchema(word) && judge.passes(value, word) ? () => other('has a form that is not allowed', value) : undefined,
  ],
  [
    'contains',
    (word, value, schema, judge) => {
      if (!isSchema(word) || !Array.isArray(value)) return undefined;
      let count = 0;
      for (const item of value) if (judge.passes(item, word)) count++;
      const least = number(schema.minContains, 1);
      const most = number(schema.maxContains, Number.POSITIVE_INFINITY);
      if (count < least) return () => other(`needs at least ${least} items of its special form, got ${count}`, value);
      return count > most
        ? () => other(`may have at most ${most} items of its special form, got ${count}`, value)
        : undefined;
    },
  ],
  [
    'propertyNames',
    (word, value, _schema, judge) => {
      if (!isSchema(word) || !isObject(value)) return undefined;
      const wrong = Object.keys(value).filter((key) => !judge.passes(key, word));
      if (wrong.length === 0) return undefined;
      return () =>
        wrong.slice(0, 50).flatMap((key): Fault[] => {
          const [first] = judge.faults(key, word);
          const why = first === undefined || first.code === 'unknown' ? 'is not allowed' : wording(first).text;
          return [{ path: [key], code: 'other', want: `its name ${why}`, received: value[key] }];
        });
    },
  ],
]);
