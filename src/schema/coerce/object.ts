import { equal } from '../../json/equal.ts';
import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import { hasOwn, type JsonObject } from '../../json/value.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type Coerced, type Context, changed, type Place, under } from './context.ts';
import { failingAt } from './failing.ts';
import { foldKey } from './fold.ts';
import { placeIn } from './list.ts';
import { resembles } from './resembles.ts';
import type { View } from './view.ts';

/** An object on its way: the keys as they will be, each with where it came from. */
interface Draft {
  readonly out: Map<string, { readonly from: string; value: unknown }>;
  readonly repairs: Repair[];
  readonly problems: Problem[];
}

/** Settles the keys first (spelling, repetition, what is not known), then coerces what each holds. */
export function coerceObject(context: Context, value: JsonObject, view: View, place: Place): Coerced {
  if (context.nesting === 'sure' && Object.keys(value).every((key) => view.properties.has(key))) {
    return coerceKnown(context, value, view, place);
  }
  const draft: Draft = { out: new Map(), repairs: [], problems: [] };
  const foreign: string[] = [];
  for (const key of Object.keys(value)) {
    if (isDeclared(view, key) || !hasShape(view)) draft.out.set(key, { from: key, value: value[key] });
    else foreign.push(key);
  }
  for (const key of foreign) settleKey(context, draft, value, key, view, place);
  coerceFields(context, draft, value, view, place);
  if (draft.repairs.length === 0 && draft.problems.length === 0) return { value, repairs: [], problems: [] };
  return { value: assemble(value, draft), repairs: draft.repairs, problems: draft.problems };
}

/** An object with no key but those declared: each field on its own. */
function coerceKnown(context: Context, value: JsonObject, view: View, place: Place): Coerced {
  const repairs: Repair[] = [];
  const problems: Problem[] = [];
  let out: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    const schema = view.properties.get(key) as JsonSchema;
    if (isSpareNull(context, value[key], key, schema, view, place)) {
      out ??= { ...value };
      delete out[key];
      repairs.push({ ...changed('null', null, undefined), path: [key] });
      continue;
    }
    const inner = context.coerce(context, value[key], schema, placeIn(context, value, key, schema, place));
    if (inner.value !== value[key]) {
      out ??= { ...value };
      out[key] = inner.value;
    }
    if (inner.repairs.length) repairs.push(...under(key, inner.repairs));
    if (inner.problems.length) problems.push(...under(key, inner.problems));
  }
  return { value: out ?? value, repairs, problems };
}

/** A null for a field that may be left out but not be null. */
function isSpareNull(
  context: Context,
  value: unknown,
  key: string,
  schema: JsonSchema,
  view: View,
  place: Place,
): boolean {
  if (value !== null || view.required.has(key) || context.interpreter.passes(null, schema)) return false;
  return !place.failing || failingAt(place.failing, key) !== place.failing.none;
}

const isDeclared = (view: View, key: string): boolean =>
  view.properties.has(key) || view.patterns.some((pattern) => pattern.test(key));

/** A map with no declared keys at all takes any. */
const hasShape = (view: View): boolean => view.properties.size > 0 || view.closed;

function settleKey(context: Context, draft: Draft, value: JsonObject, key: string, view: View, place: Place) {
  if (key === 'constructor' || key === 'prototype') return refuse(draft, key, value[key], 'forbidden_key');
  const folded = foldKey(key);
  const likes = [...view.properties.keys()].filter((property) => foldKey(property) === folded);
  const [like] = likes;
  if (like !== undefined && likes.length === 1 && folded !== '') return respell(draft, value, key, like);
  if (context.nesting === 'inferred' && mayBelongOutside(view, key, place))
    return refuse(draft, key, value[key], 'unknown');
  if (!view.closed) {
    draft.out.set(key, { from: key, value: value[key] });
    return;
  }
  const unused = [...view.properties.keys()].filter((property) => !hasOwn(value, property));
  const meant = unused.filter((property) => resembles(key, property));
  if (meant.length > 0) return refuse(draft, key, value[key], 'unknown', meant.length === 1 ? meant[0] : undefined);
  if (!place.drop || context.nesting === 'inferred') return refuse(draft, key, value[key], 'unknown');
  draft.repairs.push({ ...changed('dropped', value[key], undefined), path: [key] });
}

/** Under an inferred bracket an undeclared key may be another object's; in a map, only if one further out lacks it. */
const mayBelongOutside = (view: View, key: string, place: Place): boolean =>
  view.properties.size > 0 || place.outside.includes(key);

/** A key equal to a property but for its spelling: renamed, or a repetition of it. */
function respell(draft: Draft, value: JsonObject, key: string, like: string): void {
  const taken = draft.out.get(like);
  if (!taken) {
    draft.out.set(like, { from: key, value: value[key] });
    draft.repairs.push({ ...changed('key', key, like), path: [like] });
  } else if (equal(taken.value, value[key])) {
    draft.repairs.push({ ...changed('duplicate', value[key], undefined), path: [key] });
  } else {
    draft.problems.push({
      path: [like],
      code: 'duplicate_key',
      received: [taken.value, value[key]],
      message: `is given twice with different values, as '${taken.from}' and '${key}'`,
    });
  }
}

const refusals = {
  forbidden_key: 'is a key that no tool may be given; leave it out',
  unknown: 'is not known',
} as const;

function refuse(draft: Draft, key: string, received: unknown, code: keyof typeof refusals, meant?: string): void {
  draft.out.set(key, { from: key, value: received });
  draft.problems.push({
    path: [key],
    code,
    received,
    message: `${refusals[code]}${meant ? `; did you mean '${meant}'?` : ''}`,
    ...(meant ? { suggestion: `Use '${meant}'` } : {}),
  });
}

function coerceFields(context: Context, draft: Draft, value: JsonObject, view: View, place: Place): void {
  const lacking = [...view.properties.keys()].filter((property) => !draft.out.has(property));
  const outside = context.nesting === 'inferred' ? [...place.outside, ...lacking] : place.outside;
  for (const [key, field] of draft.out) {
    const schema = schemaOf(view, key);
    if (schema === undefined) {
      if (context.marks.length) coerceField(context, draft, value, key, field, true, place, outside);
      continue;
    }
    if (view.properties.has(key) && isSpareNull(context, field.value, key, schema, view, place)) {
      draft.out.delete(key);
      draft.repairs.push({ ...changed('null', null, undefined), path: [key] });
      continue;
    }
    coerceField(context, draft, value, key, field, schema, place, outside);
  }
}

function coerceField(
  context: Context,
  draft: Draft,
  value: JsonObject,
  key: string,
  field: { readonly from: string; value: unknown },
  schema: JsonSchema,
  place: Place,
  outside: readonly string[],
): void {
  const at = placeIn(context, value, field.from, schema, place, outside);
  // Under a key of another spelling no validator has seen it, so all of it may be coerced.
  const inner = context.coerce(context, field.value, schema, field.from === key ? at : { ...at, failing: undefined });
  field.value = inner.value;
  draft.repairs.push(...under(key, inner.repairs));
  draft.problems.push(...under(key, inner.problems));
}

function schemaOf(view: View, key: string): JsonSchema | undefined {
  return view.properties.get(key) ?? view.patterns.find((pattern) => pattern.test(key))?.schema ?? view.additional;
}

/** Builds the object anew, keys in the order they came. */
function assemble(value: JsonObject, draft: Draft): JsonObject {
  const byOrigin = new Map([...draft.out].map(([key, field]) => [field.from, { key, value: field.value }]));
  const out: Record<string, unknown> = {};
  for (const from of Object.keys(value)) {
    const field = byOrigin.get(from);
    if (field) out[field.key] = field.value;
  }
  return out as JsonObject;
}
