import { type Problem, problemAt } from '../../json/problem.ts';
import { gotDecimal, type Mark, type Marks, mayBeText, twoStrings } from '../../json/reading.ts';
import { cached } from '../../json/text-cache.ts';
import { closersAtEnd } from '../../json/tolerant/call-markup.ts';
import { isObject, type JsonObject, type Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import { type Coerced, type Context, changed, made, markOf, type Place, refusedAs, same, tooLarge } from './context.ts';
import { failingTree } from './failing.ts';
import { foldKey } from './fold-key.ts';
import {
  branchesOf,
  declaredKeys,
  isPlain,
  type Layout,
  layoutOf,
  typesOf,
  type View,
  viewAt,
  viewFor,
} from './layout.ts';
import { coerceList, placeIn } from './lists.ts';
import { coerceObject } from './objects.ts';
import { convert, memberLike } from './scalars.ts';
import { envelopes, wrappers } from './undeclared-keys.ts';
import { coerceUnion } from './unions.ts';

export type { Coerced } from './context.ts';

export interface CoerceOptions {
  readonly marks?: Marks | undefined;
  readonly nesting?: 'sure' | 'kept' | 'keys' | 'early' | 'inferred';
  /** Name of the tool, to recognize `{"name": …, "parameters": …}` around its arguments. */
  readonly name?: string;
  /** Where the schema's own validator failed. Everything else stays unchanged. */
  readonly failing?: readonly { readonly path: Path; readonly code: string }[];
  /** Whether the tool writes, so that keys that control how are never dropped. */
  readonly writes?: boolean;
  /** Whether the validator passed, so that only spelling and wrappers are corrected. */
  readonly passed?: boolean;
  /** Whether the values have no types (tags, lines), so that a point in a number is a decimal point. */
  readonly untyped?: boolean;
}

const place: Place = { drop: true, alone: true, text: false, outside: [] };

/**
 * Coerces a value to its schema where there is only one reading; the rest stays unchanged. Valid values aren't changed,
 * except for the spelling of undeclared keys and a wrapper around the arguments.
 */
export function coerce(value: unknown, root: JsonSchema, options: CoerceOptions = {}): Coerced {
  const context = contextOf(root, options);
  const { interpreter } = context;
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
  const faults = wrapperFaults(context, inner ? inner.value : value, root, options.name);
  if (!inner && faults.length === 0) return tell(context, plain);
  const passes = options.passed || (plain.problems.length === 0 && interpreter.passes(plain.value, root));
  if (!inner) {
    const isToldOf = plain.problems.length > 0 || (context.hints.length > 0 && !passes);
    return tell(context, isToldOf ? plain : { ...plain, problems: faults });
  }
  // The arguments themselves are never dropped.
  const lost = plain.repairs.some(({ kind, path }) => kind === 'dropped' && path.length === 1 && path[0] === inner.key);
  if (passes && !inner.declared && !lost && plain.problems.length + faults.length === 0) return tell(context, plain);
  context.hints.length = 0;
  const whole = coerceNode(context, inner.value, root, place);
  const problems = whole.problems.length > 0 ? whole.problems : faults;
  return tell(context, { ...whole, problems, repairs: [...inner.repairs, ...whole.repairs] });
}

/** Coerces a part of a value to the schema of that part, for values that are still streaming. */
export function coercePart(value: unknown, root: JsonSchema, part: JsonSchema): unknown {
  const context = contextOf(root, {});
  return coerceNode(context, value, part, placeIn(context, [value], 0, part, place, [])).value;
}

function contextOf(root: JsonSchema, options: CoerceOptions): Context {
  const layout = layoutOf(root);
  layout.interpreter.forget();
  return {
    ...layout,
    marks: options.marks ? [options.marks] : [],
    nesting: options.nesting ?? 'sure',
    known: new WeakMap(),
    coerce: coerceNode,
    writes: options.writes ?? false,
    untyped: options.untyped ?? false,
    hints: [],
    scalars: new Map(),
    readings: new Map(),
    room: layout.overrun ? 0 : 200_000,
    comparisons: 2000,
    depth: 0,
  };
}

/** Keys next to a call's arguments that name the tool. They must name this one. */
const titles = ['name', 'tool', 'tool_name', 'function', 'function_name'];
/** Keys with metadata of the call. */
const books = ['id', 'index', 'call_id', 'tool_call_id'];
const kinds = ['function', 'function_call', 'tool', 'tool_call', 'tool_use', 'custom'];

interface Unwrapped extends Coerced {
  /** Whether all inner keys are declared. */
  readonly declared: boolean;
  /** Key of the wrapper. */
  readonly key: string;
}

/** The object in an undeclared wrapper: alone, or next to this tool's name. */
function unwrapped(
  context: Context,
  given: unknown,
  root: JsonSchema,
  name: string | undefined,
): Unwrapped | undefined {
  // A list of one call.
  const value = Array.isArray(given) && given.length === 1 && name !== undefined ? given[0] : given;
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
  // A declared key is part of the wrapper only if its value is the tool's name.
  const known = rest.every((other) =>
    namesTool(value[other], name) ? isBeside(other) : !declared.has(other) && keepsBooks(other, value[other]),
  );
  if (!known) return undefined;
  const held = coerceNode(context, value[key], { type: 'object' }, { ...place, container: value, key });
  if (!isObject(held.value)) return undefined;
  const inside = held.value as JsonObject;
  // `{"function": {"name": …, "arguments": {…}}}` is a wrapper inside another.
  const deeper = isOwn(key) || key === 'function' ? unwrapped(context, inside, root, name) : undefined;
  if (deeper) return { ...deeper, repairs: [changed('wrapper', given, deeper.value)], key };
  if (key === 'function') return undefined;
  const all = (titled || rest.length === 0) && Object.keys(inside).every((one) => declared.has(one));
  return { ...made('wrapper', given, inside), declared: all, key };
}

/**
 * The problems of an undeclared wrapper that isn't removed: fields next to it, or two wrappers, of which one would be
 * lost. An object that allows other keys keeps a wrapper that contains nothing declared.
 */
function wrapperFaults(context: Context, value: unknown, root: JsonSchema, name: string | undefined): Problem[] {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (!isObject(only) || name === undefined) return [];
  const declared = declaredKeys(root);
  const { closed, patterns, additional } = viewAt(context, root) ?? viewFor(context, anything);
  let isSure = closed;
  const keys = Object.keys(only);
  const [holder, ...more] = keys.filter((key) => {
    if (declared.has(key) || !(wrappers.includes(key) || envelopes.includes(key) || namesTool(key, name))) return false;
    const inner = coerceNode(context, only[key], { type: 'object' }, { ...place, container: only, key }).value;
    if (!isObject(inner) || additional || patterns.some((pattern) => pattern.test(key))) return false;
    isSure ||= Object.keys(inner).some((one) => declared.has(one) || wrappers.includes(one));
    return true;
  });
  isSure ||= keys.some((key) => titles.includes(key) && namesTool(only[key], name));
  if (holder === undefined || !isSure) return [];
  const isOwn = (key: string): boolean => (declared.has(key) ? namesTool(only[key], name) : isBeside(key));
  const beside = keys.filter((key) => key !== holder && (more.includes(key) || !isOwn(key)));
  const message = `is next to '${holder}', which contains arguments; send all fields in one object`;
  return (beside.length ? beside : [holder]).map((key) => ({
    path: [key],
    code: 'ambiguous',
    received: only[key],
    message: key === holder ? 'is not only a wrapper; send its fields directly' : message,
  }));
}

/** The arguments of another tool, with its name next to them. */
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

/** More problems than a model can handle at once. */
const most = 50;

/** Adds the field names to the messages, now that paths are complete. */
function tell({ hints }: Context, coerced: Coerced): Coerced {
  if (coerced.problems.length + hints.length === 0) return coerced;
  return { ...coerced, problems: coerced.problems.slice(0, most).map(named), hints: hints.map(named) };
}

const named = (problem: Problem): Problem => problemAt(problem.path, problem.code, problem.message, problem);

/** A list instead of the arguments, for a tool whose only parameter is a list. */
function bareList(context: Context, value: unknown, root: JsonSchema): Coerced | undefined {
  const [key, another] = declaredKeys(root);
  const view = viewAt(context, root);
  if (!Array.isArray(value) || key === undefined || another !== undefined || !view) return undefined;
  const types = typesOf(context, view.properties.get(key) ?? true);
  const isList = types?.size === 1 && types.has('array');
  // A list with one object that has this key is the arguments themselves.
  if (!isList || (value.length === 1 && isObject(value[0]) && foldKey(Object.keys(value[0])[0] ?? '') === foldKey(key)))
    return undefined;
  const whole = { [key]: value };
  const inner = coerceNode(context, whole, root, place);
  if (inner.problems.length > 0 || !context.interpreter.passes(inner.value, root)) return undefined;
  return { ...inner, repairs: [changed('object', value, whole), ...inner.repairs] };
}

/**
 * Coerces a value to a schema. Valid values stay unchanged, except for the spelling of keys. Each pair of an object or
 * list and a schema is processed once.
 */
export function coerceNode(context: Context, value: unknown, schema: JsonSchema, place: Place): Coerced {
  const given = context.interpreter.resolve(schema);
  // Where anything is allowed, an unsafe integer must still be detected.
  const node = given === true && context.marks.length > 0 ? anything : given;
  if (!isObject(node)) return same(value);
  // Only in a union can a pair occur again.
  if (place.drop) return descend(context, value, node as SchemaObject, place);
  const key = `${idOf(context, node)}:${place.drop}${place.alone}${place.text}${place.wrapped}${place.outside.join()}:${place.late?.join()}:${place.failing ? idOf(context, place.failing) : ''}`;
  if (typeof value !== 'object' || value === null) return scalarOnce(context, value, node as SchemaObject, place, key);
  const known = cached(context.known, value, () => new Map<string, Coerced>());
  const found = known.get(key);
  if (found) return found;
  known.set(key, same(value)); // a pair that occurs again meanwhile stays unchanged
  const result = descend(context, value, node as SchemaObject, place);
  known.set(key, result);
  return result;
}

/** Caches a scalar's result by its location, because how it was written matters too. */
function scalarOnce(context: Context, value: unknown, node: SchemaObject, place: Place, pair: string): Coerced {
  const { scalars } = context;
  const known = cached(scalars, place.container, () => new Map());
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

let ids = 0;

const idOf = (context: Layout, node: object): number => cached(context.ids, node, () => ++ids);

function work(context: Context, value: unknown, node: SchemaObject, place: Place): Coerced {
  const mark = context.marks.length ? markOf(context, place) : undefined;
  const doubtful = mark && doubtfulScalar(context, mark, node);
  // A refused value stays as it is, so that it is in doubt again where it is checked against another schema.
  if (doubtful) return doubtful.problems.length ? { ...doubtful, value } : doubtful;
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
  if (place.failing || isPlain(value, view.plain) || context.interpreter.passes(value, node)) return same(value);
  const like = view.members && memberLike(mark?.literal ?? value, view.members);
  if (like) return made('enum', value, like.member);
  const coerced = type === undefined ? same(value) : coerceType(context, value, node, view, place, type);
  if (typeof value !== 'string' || (coerced.value !== value && isScalar(type))) return coerced;
  // The markup of the call may follow a value that isn't text.
  // Only the end, because white space within would be tried again from every place.
  const bare = value.slice(0, -400) + value.slice(-400).replace(closersAtEnd, '');
  if (bare === value) return coerced;
  if (view.members?.includes(bare)) return made('enum', value, bare);
  if (place.text || !(isScalar(type) || /^\s*[[{]/.test(bare))) return coerced;
  const inner = work(context, bare, node, place);
  const [first, ...more] = inner.repairs;
  return first && !inner.problems.length ? { ...inner, repairs: [{ ...first, before: value }, ...more] } : coerced;
}

const isScalar = (type: TypeName | undefined): boolean => type !== 'array' && type !== 'object';

/** Values beyond the limit stay unchanged, unless they may contain an unsafe integer. */
function unseen(context: Context, value: unknown): Coerced {
  if (typeof value !== 'object' || !context.marks.some(({ unsafe }) => unsafe)) return same(value);
  return refusedAs(value, 'may hold an integer too large to represent exactly', 'unsafe_integer');
}

/** Reads a value as the expected type, and coerces its content. */
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
  // The model doesn't know a list created for a value, so problems are reported for the value itself.
  if (wrapped && !context.interpreter.passes(inner.value, node)) return same(value);
  return settle(context, value, { value: inner.value, repairs, problems: inner.problems }, node);
}

/** Accepts a reading if it is valid. If only a bound is violated, it is kept too, so that the problem mentions it. */
function settle(context: Context, before: unknown, after: Coerced, node: SchemaObject): Coerced {
  if (after.problems.length || context.interpreter.passes(after.value, node)) return after;
  const typed =
    typeof after.value !== 'object' ||
    (Array.isArray(after.value) && typeof before === 'string') ||
    isObject(after.value);
  return typed ? after : same(before);
}

/**
 * A number with leading zeros, a plus sign or another base is text for a string and a number for a number. If both are
 * allowed, it is refused. A scalar that may be part of a text counts as a value if no text is allowed.
 */
function doubtfulScalar(
  context: Context,
  { literal, gap, decimal, zeros, other, unsafe, fraction, again, pieces, nothing }: Mark,
  node: SchemaObject,
) {
  const types = typesOf(context, node);
  const text = !types || types.has('string');
  const both = text && (!types || types.has('number') || types.has('integer'));
  const mayBeNull = nothing && (nothing.quoted || types?.has('null') !== false);
  if (mayBeNull && text && !isMember(context, literal, node))
    return refusedAs(literal, 'may stand for null or for text; write null, or put quotes around it');
  if (decimal && (text || types.has('number'))) return refusedAs(literal, decimals);
  if (pieces && (!types || types.has('array'))) return refusedAs(literal, twoStrings);
  if (gap && text) return refusedAs(literal, 'may be part of unquoted text; put quotes around text');
  if (again !== undefined && text)
    return refusedAs(literal, `is given twice, as ${literal} and as ${again}`, 'duplicate_key', [literal, again]);
  // Digits with underscores that aren't thousands are no number, whatever the schema.
  const isOdd = other && unsafe && literal.includes('_') && !text;
  if (isOdd) return refusedAs(literal, mayBeText(literal));
  if ((zeros || other) && both) return refusedAs(literal, mayBeText(literal));
  if (fraction && types?.has('integer') && !types.has('number')) return refusedAs(literal, gotDecimal, 'type');
  return unsafe && !zeros ? unsafeInteger(context, literal, node) : undefined;
}

/** Whether a word is one of the fixed words of a schema, in any of its forms. */
const isMember = (context: Context, word: string, node: SchemaObject): boolean =>
  [node, ...(branchesOf(context, node) ?? [])].some((form) => viewAt(context, form)?.members?.includes(word));

const decimals = 'has no comma before it, and the others may be decimal commas; write a point for decimals';

/** An unsafe integer is kept as text if only a string is allowed; otherwise it is a problem. */
function unsafeInteger(context: Context, literal: string, node: SchemaObject): Coerced {
  const types = typesOf(context, node);
  const textOnly = types?.has('string') && !types.has('number') && !types.has('integer');
  if (textOnly && context.interpreter.passes(literal, node)) {
    return made('type', literal, literal);
  }
  return refusedAs(literal, ...tooLarge(literal));
}
