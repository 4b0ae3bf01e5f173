import { type Mark, mayBeText } from '../../json/reading.ts';
import { isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import { type Coerced, type Context, changed, markOf, type Place, same } from './context.ts';
import { branchesOf, type Layout, typesOf, type View, viewFor } from './layout.ts';
import { coerceList } from './lists.ts';
import { coerceObject } from './objects.ts';
import { convert, memberLike } from './scalars.ts';
import { coerceUnion } from './unions.ts';

/**
 * Coerces one value towards one schema. What passes is left alone, but for the spelling of keys; what fails is read the
 * one way its schema leaves. Each pair of an object or list and a schema is worked out once.
 */
export function coerceNode(context: Context, value: unknown, schema: JsonSchema, place: Place): Coerced {
  const given = context.interpreter.resolve(schema);
  // Where anything may come, an integer too large for a number is still to be found.
  const node = given === true && context.marks.length > 0 ? anything : given;
  if (!isObject(node)) return same(value);
  // Only in a union can a pair come up again.
  if (place.drop) return descend(context, value, node as SchemaObject, place);
  const key = `${idOf(context, node)}:${place.drop}${place.alone}${place.text}${place.wrapped}${place.outside.join()}:${place.late?.join()}:${place.failing ? idOf(context, place.failing) : ''}`;
  if (typeof value !== 'object' || value === null) return scalarOnce(context, value, node as SchemaObject, place, key);
  const known = knownFor(context, value);
  const found = known.get(key);
  if (found) return found;
  known.set(key, same(value)); // a pair met again on the way is left as it came
  const result = descend(context, value, node as SchemaObject, place);
  known.set(key, result);
  return result;
}

/** A scalar's result is kept by where the scalar stands, because how it was written counts too. */
function scalarOnce(context: Context, value: unknown, node: SchemaObject, place: Place, pair: string): Coerced {
  const { scalars } = context;
  const known = scalars.get(place.container) ?? new Map();
  scalars.set(place.container, known);
  const key = `${pair}:${place.key}`;
  const found = known.get(key);
  if (found && Object.is(found.value, value)) return found.result;
  const result = descend(context, value, node, place);
  known.set(key, { value, result });
  return result;
}

const anything: SchemaObject = {};
const deepest = 512;

function descend(context: Context, value: unknown, node: SchemaObject, place: Place): Coerced {
  if (context.depth >= deepest) return unseen(context, value);
  context.depth++;
  const result = work(context, value, node, place);
  context.depth--;
  return result;
}

function knownFor(context: Context, value: object): Map<string, Coerced> {
  let known = context.known.get(value);
  if (!known) {
    known = new Map();
    context.known.set(value, known);
  }
  return known;
}

let ids = 0;

function idOf(context: Layout, node: object): number {
  let id = context.ids.get(node);
  if (id === undefined) {
    id = ++ids;
    context.ids.set(node, id);
  }
  return id;
}

function work(context: Context, value: unknown, node: SchemaObject, place: Place): Coerced {
  const mark = context.marks.length ? markOf(context, place) : undefined;
  const doubtful = mark && doubtfulScalar(context, mark, node);
  if (doubtful) return doubtful;
  if (context.room-- <= 0) return unseen(context, value);
  const forms = branchesOf(context, node);
  if (forms) {
    const passes = context.interpreter.passes(value, node);
    if (typeof value !== 'object' && (passes || place.failing)) return same(value);
    const passed = passes || (place.failing !== undefined && place.failing === place.failing.none);
    return coerceUnion(context, value, node, forms, place, passed);
  }
  const view = viewFor(context, node);
  const type = view.types?.[0];
  if (isObject(value) && (type === 'object' || type === undefined)) return coerceObject(context, value, view, place);
  if (Array.isArray(value) && (type === 'array' || type === undefined)) return coerceList(context, value, view, place);
  if (place.failing || passesView(context, value, node, view)) return same(value);
  const like = view.members && memberLike(mark?.literal ?? value, view.members);
  if (like) return { value: like.member, repairs: [changed('enum', value, like.member)], problems: [] };
  return type === undefined ? same(value) : coerceType(context, value, node, view, place, type);
}

/** What there was no room to look at stays as it came, unless an integer too large for a number may be in it. */
function unseen(context: Context, value: unknown): Coerced {
  if (typeof value !== 'object' || !context.marks.some(({ unsafe }) => unsafe)) return same(value);
  const message = 'may hold an integer too large to be kept exactly';
  return { value, repairs: [], problems: [{ path: [], code: 'unsafe_integer', received: value, message }] };
}

/** Most scalars stand under a schema that asks for a type and nothing else. */
function passesView(context: Context, value: unknown, node: SchemaObject, { plain }: View): boolean {
  if (plain === 'string' || plain === 'boolean' || plain === 'number') return typeof value === plain;
  if (plain === 'integer') return Number.isInteger(value);
  return context.interpreter.passes(value, node);
}

/** Reads a value of another type as the type that is wanted, and goes on inside it. */
function coerceType(
  context: Context,
  value: unknown,
  node: SchemaObject,
  view: View,
  place: Place,
  type: TypeName,
): Coerced {
  const converted = convert(context, value, type, view, place);
  if (!converted) return same(value);
  if (converted.problems.length || typeof converted.value !== 'object' || converted.value === null) {
    return settle(context, value, converted, node);
  }
  const wrapped = Array.isArray(converted.value) && converted.value[0] === value;
  const inner = coerceNode(context, converted.value, node, { ...place, container: undefined, key: undefined, wrapped });
  const repairs = [...converted.repairs, ...inner.repairs];
  // A list made for one value holds no place the model knows, so its problems are told of the value.
  if (wrapped && !context.interpreter.passes(inner.value, node)) return same(value);
  return settle(context, value, { value: inner.value, repairs, problems: inner.problems }, node);
}

/** A reading is taken where it passes; where only a bound is missed it is kept too, so that the problem says so. */
function settle(context: Context, before: unknown, after: Coerced, node: SchemaObject): Coerced {
  if (after.problems.length || context.interpreter.passes(after.value, node)) return after;
  const typed =
    typeof after.value !== 'object' ||
    (Array.isArray(after.value) && typeof before === 'string') ||
    isObject(after.value);
  return typed ? after : same(before);
}

/**
 * A number with leading zeros, a plus sign or another base is text for a string and a number for a number; a place that
 * takes both, or anything, refuses it. What may be a part of text is a value of its own where no text fits.
 */
function doubtfulScalar(
  context: Context,
  { literal, gap, decimal, zeros, other, unsafe, again }: Mark,
  node: SchemaObject,
) {
  const types = typesOf(context, node);
  const text = !types || types.has('string');
  const both = text && (!types || types.has('number') || types.has('integer'));
  if (decimal && (text || types.has('number'))) return refusedAs(literal, decimals);
  if (gap && text) return refusedAs(literal, 'may be a part of text without quotes; put quotes around text');
  if (again !== undefined && text)
    return refusedAs(literal, `is given twice, as ${literal} and as ${again}`, 'duplicate_key', [literal, again]);
  if ((zeros || other) && both) return refusedAs(literal, mayBeText(literal));
  return unsafe && !zeros ? unsafeInteger(context, literal, node) : undefined;
}

const decimals =
  'has no comma before it, and those beside it may be for decimals; write 1.5 for decimals, and a comma between numbers';

const refusedAs = (
  literal: string,
  message: string,
  code: 'ambiguous' | 'duplicate_key' = 'ambiguous',
  received: unknown = literal,
): Coerced => ({
  value: literal,
  repairs: [],
  problems: [{ path: [], code, received, message }],
});

/** An integer too large for a number stays whole where only a string fits, and is a problem elsewhere. */
function unsafeInteger(context: Context, literal: string, node: SchemaObject): Coerced {
  const types = typesOf(context, node);
  const textOnly = types?.has('string') && !types.has('number') && !types.has('integer');
  if (textOnly && context.interpreter.passes(literal, node)) {
    return { value: literal, repairs: [changed('type', literal, literal)], problems: [] };
  }
  const message = `is an integer too large to be kept exactly (${literal.slice(0, 40)})`;
  return {
    value: literal,
    repairs: [],
    problems: [{ path: [], code: 'unsafe_integer', received: literal, message }],
  };
}
