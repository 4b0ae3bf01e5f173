import { fieldName } from '../json/field-name.ts';
import type { Marks } from '../json/marks.ts';
import { isObject, type JsonObject, type Path } from '../json/value.ts';
import { type Coerced, type Context, changed, type Place } from './coerce/context.ts';
import { failingTree } from './coerce/failing.ts';
import { foldKey } from './coerce/fold.ts';
import { wrappers } from './coerce/foreign.ts';
import { declaredKeys, layoutOf } from './coerce/layout.ts';
import { coerceNode } from './coerce/node.ts';
import type { JsonSchema } from './json-schema.ts';

export type { Coerced } from './coerce/context.ts';

export interface CoerceOptions {
  readonly marks?: Marks | undefined;
  readonly nesting?: 'sure' | 'inferred';
  /** The tool's name, so that `{"name": …, "parameters": …}` around its arguments is known for what it is. */
  readonly name?: string;
  /** Where the value's own validator failed: what it passed, even by transforms of its own, is left alone. */
  readonly failing?: readonly { readonly path: Path; readonly code: string }[];
  /** The validator passed the whole: only spelling and wrappers are tidied. */
  readonly passed?: boolean;
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
    scalars: new Map(),
    readings: new Map(),
    room: overrun ? 0 : 200_000,
    comparisons: 2000,
    depth: 0,
  };
  const failing = options.failing ? failingTree(options.failing) : undefined;
  const start: Place = failing ? { ...place, failing } : place;
  const plain = coerceNode(context, value, root, start);
  const inner = unwrapped(context, value, root, options.name);
  if (!inner) return tell(plain);
  const passes = options.passed || (plain.problems.length === 0 && interpreter.passes(plain.value, root));
  // The arguments themselves are never what is dropped.
  const lost = plain.repairs.some(({ kind, path }) => kind === 'dropped' && path.length === 1 && path[0] === inner.key);
  if (passes && !inner.declared && !lost) return tell(plain);
  const whole = coerceNode(context, inner.value, root, place);
  return tell({ ...whole, repairs: [...inner.repairs, ...whole.repairs] });
}

const titles = ['name', 'tool', 'tool_name', 'function', 'function_name', 'type', 'id'];

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
  const wrapper = keys.filter((key) => wrappers.includes(key) && !declared.has(key));
  const [key] = wrapper;
  if (key === undefined || wrapper.length !== 1 || keys.length > 3) return undefined;
  const rest = keys.filter((other) => other !== key);
  const titled = rest.some((other) => namesTool(value[other], name));
  // A declared key is part of the wrapper only where it holds the tool's own name.
  const known =
    rest.every((other) => titles.includes(other) && (!declared.has(other) || namesTool(value[other], name))) &&
    (rest.length === 0 || titled);
  if (!known) return undefined;
  const held = coerceNode(context, value[key], { type: 'object' }, { ...place, container: value, key });
  if (!isObject(held.value)) return undefined;
  const inside = held.value as JsonObject;
  const all = Object.keys(inside).every((one) => declared.has(one));
  return { value: inside, repairs: [changed('wrapper', value, inside)], problems: [], declared: all, key };
}

const namesTool = (given: unknown, name: string | undefined): boolean =>
  typeof given === 'string' && name !== undefined && foldKey(given) === foldKey(name);

/** More than a model can act on at once. */
const most = 50;

/** Problems were noted as predicates while paths were relative; now they get their subject. */
function tell(coerced: Coerced): Coerced {
  if (coerced.problems.length === 0) return coerced;
  return {
    ...coerced,
    problems: coerced.problems.slice(0, most).map((problem) => ({
      ...problem,
      message: `${fieldName(problem.path)} ${problem.message}`,
    })),
  };
}
