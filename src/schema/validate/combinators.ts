import { equal, isObject, typeName } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { isSchema } from './applicators.ts';
import { formsByTag } from './discriminator.ts';
import { type Fault, wording } from './messages.ts';
import type { Validator } from './validator.ts';

/** Checks a keyword. Undefined if it is satisfied, otherwise a function that returns the faults. */
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

/** Indexes of the forms that may match: those its tag selects, else all. */
const placesOf = (value: unknown, forms: readonly JsonSchema[], judge: Validator): Iterable<number> =>
  formsByTag(value, forms, judge) ?? forms.keys();

function* fitting(value: unknown, forms: readonly JsonSchema[], judge: Validator): Iterable<JsonSchema> {
  for (const index of placesOf(value, forms, judge)) yield forms[index] as JsonSchema;
}

/** Keywords that combine schemas. */
export const combinators: ReadonlyMap<string, Judgement> = new Map<string, Judgement>([
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
      if (count < least) return () => other(`needs at least ${least} matching items, got ${count}`, value);
      return count > most ? () => other(`may have at most ${most} matching items, got ${count}`, value) : undefined;
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

const isChoice = (fault: Fault): fault is Extract<Fault, { code: 'enum' | 'const' }> =>
  fault.code === 'enum' || fault.code === 'const';
const isRoot = (fault: Fault): boolean => fault.path.length === 0;
const tagOf = (fault: Fault): string | number | undefined =>
  fault.path.length === 1 && isChoice(fault) ? fault.path[0] : undefined;

/** Merges several choices into one. */
const merged = (choices: readonly Fault[]): Fault | undefined => {
  const [first] = choices;
  if (first === undefined) return undefined;
  const allowed = choices.flatMap((fault) => (isChoice(fault) ? fault.want : []));
  return { path: first.path, code: 'enum', want: [...new Set(allowed)], received: first.received };
};

/** The branch that a tag selects: a key whose fixed value all branches but one reject. */
const byTag = (branches: readonly (readonly Fault[])[]): readonly Fault[] | undefined => {
  const tags = new Set(branches.flat().flatMap((fault) => tagOf(fault) ?? []));
  for (const tag of tags) {
    const open = branches.filter((faults) => !faults.some((fault) => tagOf(fault) === tag));
    if (open.length === 1) return open[0];
    if (open.length > 0) continue;
    const one = merged(branches.flatMap((faults) => faults.find((fault) => tagOf(fault) === tag) ?? []));
    return one === undefined ? undefined : [one];
  }
  return undefined;
};

const place = (fault: Fault): string => JSON.stringify([fault.code, fault.path]);
/** Merges faults of one kind at one path if they expect the same, or if the expectations can be joined. */
const joined = (same: readonly Fault[]): Fault | undefined => {
  const [first] = same;
  if (first === undefined || first.code === 'required' || first.code === 'union') return first;
  if (first.code === 'type') {
    const want = [...new Set(same.flatMap((fault) => (fault.code === 'type' ? fault.want : [])))];
    return { ...first, want };
  }
  return same.every((fault) => equal(fault.want, first.want)) ? first : undefined;
};

/** The faults that all branches share. */
const sharedByAll = (branches: readonly (readonly Fault[])[]): readonly Fault[] => {
  const [first = [], ...others] = branches;
  const tables = others.map((faults) => new Map(faults.map((fault) => [place(fault), fault])));
  return first.flatMap((fault) => {
    const same = tables.map((table) => table.get(place(fault)));
    return same.includes(undefined) ? [] : (joined([fault, ...same.filter((one) => one !== undefined)]) ?? []);
  });
};

/** The fixed values that a branch allows, including null; undefined if it allows anything else. */
const allowedBy = (faults: readonly Fault[]): readonly unknown[] | undefined => {
  const [first] = faults;
  if (first === undefined || !isRoot(first)) return undefined;
  if (isChoice(first)) return first.want;
  return first.code === 'type' && first.want.length === 1 && first.want[0] === 'null' ? [null] : undefined;
};

/** The types that a branch expects, from its type or its fixed values, if the value has another. */
const typesWanted = (faults: readonly Fault[], value: unknown): readonly string[] | undefined => {
  const found = faults.find((fault) => isRoot(fault) && (fault.code === 'type' || isChoice(fault)));
  if (found === undefined || found.code === 'type') return found?.want;
  const names = isChoice(found) ? found.want.map(typeName) : [];
  return names.includes(typeName(value)) ? undefined : names;
};

/**
 * Explains why a value matches no branch of a union (paths are relative to the value). Fixed values become one choice,
 * and types one type. Branches of another type are ignored, and a tag selects one.
 */
const union = (value: unknown, branches: readonly (readonly Fault[])[]): readonly Fault[] => {
  const allowed = branches.map(allowedBy);
  if (!allowed.includes(undefined) && branches.flat().some(isChoice)) {
    return [{ path: [], code: 'enum', want: [...new Set(allowed.flatMap((want) => want ?? []))], received: value }];
  }
  const typed = branches.filter((faults) => typesWanted(faults, value) === undefined);
  if (typed.length === 0 && branches.length > 0) {
    const want = [...new Set(branches.flatMap((faults) => typesWanted(faults, value) ?? []))];
    return [{ path: [], code: 'type', want, received: value }];
  }
  const [only] = typed;
  if (only !== undefined && typed.length === 1) return only;
  const tagged = byTag(typed);
  if (tagged !== undefined) return tagged;
  const shared = sharedByAll(typed);
  if (shared.length > 0) return shared;
  const forms = branches.flatMap((faults) => faults.slice(0, 1));
  return [{ path: [], code: 'union', want: { forms }, received: value }];
};
