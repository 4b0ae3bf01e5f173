import { equal, isObject, type Path } from '../../../json/value.ts';
import { besideUnion } from '../../../schema/coerce/layout.ts';
import type { SchemaObject } from '../../../schema/types.ts';
import { anything } from './annotations.ts';
import { withSentences } from './describe-keyword.ts';
import { flatten, mergeSchemas, recordChange } from './flatten.ts';
import { lowerKeywords } from './keywords.ts';
import { makeNullable } from './nullable.ts';
import type { Lowering } from './state.ts';
import { areDisjoint, meantTypes } from './types-in.ts';

/**
 * Lowers a union for targets that allow no other keywords next to one: merges those keywords into each form, and
 * expresses null as the target does.
 *
 * @param at path of the union's keyword
 */
export function lowerUnion(beside: SchemaObject, forms: readonly unknown[], at: Path, to: Lowering): SchemaObject {
  const here = at.slice(0, -1);
  const base = Object.fromEntries(Object.entries(beside).filter(([word]) => !besideUnion.has(word))) as SchemaObject;
  const about = Object.fromEntries(Object.entries(beside).filter(([word]) => besideUnion.has(word))) as SchemaObject;
  const isBare = Object.keys(base).length === 0;
  if (!isBare)
    recordChange(to, here, String(at.at(-1)), 'rewritten', 'the keywords next to it are merged into each form');
  const before = to.changes.length;
  const lowered = new Map<string, SchemaObject>();
  let nullable = false;
  for (const [index, form] of forms.entries()) {
    const one = isBare ? plainForm(form, [...at, index], to) : wholeForm(form, base, [...at, index], to);
    if (one === 'null') nullable = true;
    else if (one) {
      const solid = besideNull(one);
      nullable ||= solid !== undefined;
      lowered.set(JSON.stringify(solid ?? one), solid ?? one);
    }
  }
  const words = lowerKeywords(about, here, to);
  const united = unite(words, [...lowered.values()], nullable, here, to);
  const whole = nullable && lowered.size > 0 ? makeNullable(united, to.rules) : united;
  // An unchanged union needs no entry.
  if (isBare && !equal(whole, { ...beside, anyOf: forms }) && to.changes.length === before)
    recordChange(
      to,
      here,
      String(at.at(-1)),
      'rewritten',
      'it is written with fewer forms, and null as the provider expects it',
    );
  return whole;
}

function unite(
  words: SchemaObject,
  forms: readonly SchemaObject[],
  nullable: boolean,
  at: Path,
  to: Lowering,
): SchemaObject {
  const [only, ...more] = forms;
  if (more.length > 0) return { ...words, anyOf: [...forms] };
  if (only) {
    // Keeps a union of one form around a reference, which allows no other keywords next to it.
    if (only.$ref !== undefined && Object.keys(words).length > 0) return { ...words, anyOf: [only] };
    const description = withSentences(words.description, only.description ? [only.description] : []);
    return { ...only, ...words, ...(description !== undefined && { description }) };
  }
  if (nullable) return { ...words, ...to.lower({ type: 'null' }, at) };
  return { ...words, ...anything(at, to) };
}

/** The other form of a union with null, so that null is expressed once for the outer union. */
function besideNull(form: SchemaObject): SchemaObject | undefined {
  const [solid, none, ...more] = form.anyOf ?? [];
  const isPair = isObject(solid) && isObject(none) && none.type === 'null' && more.length === 0;
  return isPair && Object.keys(form).length === 1 ? (solid as SchemaObject) : undefined;
}

/** Lowers a form without keywords to merge. */
function plainForm(form: unknown, at: Path, to: Lowering): SchemaObject | 'null' | undefined {
  const isRef = isObject(form) && typeof form.$ref === 'string';
  if (!isRef || to.rules.refs === 'inlined') return wholeForm(form, {}, at, to);
  const lowered = to.lower(form, at);
  return lowered.type === 'null' ? 'null' : lowered;
}

/** Lowers a form merged with the keywords next to the union. Returns undefined if no value matches both. */
function wholeForm(form: unknown, base: SchemaObject, at: Path, to: Lowering): SchemaObject | 'null' | undefined {
  const followed = new Set<SchemaObject>();
  const flat = flatten(form, at, to, followed);
  if (flat === false || areDisjoint(flat, base)) return undefined;
  const whole = mergeSchemas(flat, base, (word) => {
    recordChange(to, at, word, 'dropped', 'the form and the keywords next to the union differ');
  });
  if (isNull(whole)) return 'null';
  const lowered = to.lowerFlat(whole, followed, at);
  return lowered.type === 'null' ? 'null' : lowered;
}

const isNull = (form: unknown): boolean => {
  if (!isObject(form) || typeof form.$ref === 'string') return false;
  const types = meantTypes(form as SchemaObject);
  return types?.length === 1 && types[0] === 'null' && form.anyOf === undefined && form.oneOf === undefined;
};
