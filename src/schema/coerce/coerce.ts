import type { Problem } from '../../json/problem.ts';
import { type Mark, type Marks, mayBeText } from '../../json/reading.ts';
import { fieldName, isObject, type JsonObject, type Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import { type Coerced, type Context, changed, markOf, type Place, same } from './context.ts';
import { failingTree } from './failing.ts';
import { foldKey } from './fold-key.ts';
import { branchesOf, declaredKeys, type Layout, layoutOf, typesOf, type View, viewFor } from './layout.ts';
import { coerceList } from './lists.ts';
import { coerceObject } from './objects.ts';
import { convert, memberLike } from './scalars.ts';
import { wrappers } from './undeclared-keys.ts';
import { coerceUnion } from './unions.ts';

export type { Coerced } from './context.ts';

export interface CoerceOptions {
  readonly marks?: Marks | undefined;
  readonly nesting?: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  /** The tool's name, so that `{"name": …, "parameters": …}` around its arguments is known for what it is. */
  readonly name?: string;
  /** Where the value's own validator failed: what it passed, even by transforms of its own, is left alone. */
  readonly failing?: readonly { readonly path: Path; readonly code: string }[];
  /** The tool changes something: keys that say how are never dropped. */
  readonly writes?: boolean;
  /** The validator passed the whole: only spelling and wrappers are tidied. */
  readonly passed?: boolean;
  /** The values came without types (tags, lines): a point in a number is that of its decimals. */
  readonly untyped?: boolean;
}

const place: Place = { drop: true, alone: true, text: false, outside: [] };

/**
 * Gives a value the shape its schema asks for, where that leaves one reading (the rules' table); the rest stays as it
 * came. What passes is not touched, but for the spelling of undeclared keys and a wrapper around the whole.
 */
export function coerce(value: unknown, root: JsonSchema, options: CoerceOptions = {}): Coerced {
  const { interpreter, overrun } = layoutOf(root);
  interpreter.forget();
  const context: Context = {
    ...layoutOf(root),
    marks: options.marks ? [options.marks] : [],
    nesting: options.nesting ?? 'sure',
    known: new WeakMap(),
    coerce: coerceNode,
    writes: options.writes ?? false,
    untyped: options.untyped ?? false,
    hints: [],
    scalars: new Map(),
    readings: new Map(),
    room: overrun ? 0 : 200_000,
    comparisons: 2000,
    depth: 0,
  };
  const failing = options.failing ? failingTree(options.failing) : undefined;
  const start: Place = failing ? { ...place, failing } : place;
  const bare = bareList(context, value, root);
  if (bare) return tell(context, bare);
  const plain = coerceNode(context, value, root, start);
  const inner = unwrapped(context, value, root, options.name);
  const other = inner || options.passed ? undefined : namesOther(value, root, options.name);
  if (other) {
    context.hints.length = 0;
    return tell(context, { value, repairs: [], problems: [other], foreign: true });
  }
  if (!inner) return tell(context, plain);
  const passes = options.passed || (plain.problems.length === 0 && interpreter.passes(plain.value, root));
  // The arguments themselves are never what is dropped.
  const lost = plain.repairs.some(({ kind, path }) => kind === 'dropped' && path.length === 1 && path[0] === inner.key);
  if (passes && !inner.declared && !lost && plain.problems.length === 0) return tell(context, plain);
  context.hints.length = 0;
  const whole = coerceNode(context, inner.value, root, place);
  return tell(context, { ...whole, repairs: [...inner.repairs, ...whole.repairs] });
}

/** Keys beside the arguments of a call that say which tool is called; they must name this one. */
const titles = ['name', 'tool', 'tool_name', 'function', 'function_name'];
/** And those that only keep the books of it. */
const books = ['id', 'index', 'call_id', 'tool_call_id'];
const kinds = ['function', 'function_call', 'tool', 'tool_call', 'tool_use', 'custom'];

interface Unwrapped extends Coerced {
  /** Every key inside is one the schema declares. */
  readonly declared: boolean;
  /** The wrapper's key. */
  readonly key: string;
}

/** The object inside a wrapper that the schema does not know: alone, or beside this tool's own name. */
function unwrapped(
  context: Context,
  value: unknown,
  root: JsonSchema,
  name: string | undefined,
): Unwrapped | undefined {
  if (!isObject(value)) return undefined;
  const declared = declaredKeys(root);
  const keys = Object.keys(value);
  const isOwn = (key: string): boolean =>
    key === 'function' ? isObject(value[key]) : keys.length === 1 && namesTool(key, name);
  const wrapper = keys.filter((key) => (wrappers.includes(key) || isOwn(key)) && !declared.has(key));
  const [key] = wrapper;
  if (key === undefined || wrapper.length !== 1) return undefined;
  const rest = keys.filter((other) => other !== key);
  const titled = rest.some((other) => namesTool(value[other], name));
  // A declared key is part of the wrapper only where it holds the tool's own name.
  const known = rest.every((other) =>
    namesTool(value[other], name) ? isBeside(other) : !declared.has(other) && keepsBooks(other, value[other]),
  );
  if (!known) return undefined;
  const held = coerceNode(context, value[key], { type: 'object' }, { ...place, container: value, key });
  if (!isObject(held.value)) return undefined;
  const inside = held.value as JsonObject;
  // `{"function": {"name": …, "arguments": {…}}}` is one wrapper inside another.
  const deeper = isOwn(key) || key === 'function' ? unwrapped(context, inside, root, name) : undefined;
  if (deeper) return { ...deeper, repairs: [changed('wrapper', value, deeper.value)], key };
  if (key === 'function') return undefined;
  const all = (titled || rest.length === 0) && Object.keys(inside).every((one) => declared.has(one));
  return { value: inside, repairs: [changed('wrapper', value, inside)], problems: [], declared: all, key };
}

/** The arguments of another tool, with its name beside them. */
function namesOther(value: unknown, root: JsonSchema, name: string | undefined): Problem | undefined {
  if (!isObject(value) || name === undefined) return undefined;
  const keys = Object.keys(value);
  const declared = declaredKeys(root);
  const title = keys.find((key) => titles.includes(key) && typeof value[key] === 'string');
  if (title === undefined || namesTool(value[title], name) || keys.some((key) => declared.has(key))) return undefined;
  const holds = keys.filter((key) => wrappers.includes(key)).length === 1;
  if (!holds || !keys.every((key) => wrappers.includes(key) || isBeside(key))) return undefined;
  const said = String(value[title]).slice(0, 80);
  const message = `names another tool, '${said}'; call that one, or send the arguments of '${name}' alone`;
  return { path: [title], code: 'unknown', received: value[title], message };
}

const isBeside = (key: string): boolean => titles.includes(key) || books.includes(key) || key === 'type';

const keepsBooks = (key: string, value: unknown): boolean =>
  key === 'type' ? kinds.includes(value as string) : books.includes(key) && !isObject(value) && !Array.isArray(value);

const namesTool = (given: unknown, name: string | undefined): boolean =>
  typeof given === 'string' && name !== undefined && foldKey(given) === foldKey(name);

/** More than a model can act on at once. */
const most = 50;

/** Problems were noted as predicates while paths were relative; now they get their subject. */
function tell({ hints }: Context, coerced: Coerced): Coerced {
  if (coerced.problems.length + hints.length === 0) return coerced;
  return { ...coerced, problems: coerced.problems.slice(0, most).map(named), hints: hints.map(named) };
}

const named = (problem: Problem): Problem => ({ ...problem, message: `${fieldName(problem.path)} ${problem.message}` });

/** A list where the arguments should be, for a tool whose only parameter is a list. */
function bareList(context: Context, value: unknown, root: JsonSchema): Coerced | undefined {
  const [key, another] = declaredKeys(root);
  const node = context.interpreter.resolve(root);
  if (!Array.isArray(value) || key === undefined || another !== undefined || !isObject(node)) return undefined;
  const types = typesOf(context, viewFor(context, node as SchemaObject).properties.get(key) ?? true);
  const isList = types?.size === 1 && types.has('array');
  // A list of one object with that key is the arguments themselves.
  if (!isList || (value.length === 1 && isObject(value[0]) && foldKey(Object.keys(value[0])[0] ?? '') === foldKey(key)))
    return undefined;
  const whole = { [key]: value };
  const made = coerceNode(context, whole, root, place);
  if (made.problems.length > 0 || !context.interpreter.passes(made.value, root)) return undefined;
  return { ...made, repairs: [changed('object', value, whole), ...made.repairs] };
}

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
