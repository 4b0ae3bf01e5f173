import type { Problem } from '../../json/problem.ts';
import type { Marks } from '../../json/reading.ts';
import { fieldName, isObject, type JsonObject, type Path } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { type Coerced, type Context, changed, type Place } from './context.ts';
import { failingTree } from './failing.ts';
import { foldKey } from './fold-key.ts';
import { declaredKeys, layoutOf, typesOf, viewFor } from './layout.ts';
import { coerceNode } from './node.ts';
import { wrappers } from './undeclared-keys.ts';

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
