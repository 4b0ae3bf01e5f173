import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import type { JsonSchema, TypeName } from '../json-schema.ts';
import { typesOf } from './branches.ts';
import { type Coerced, type Context, type Place, under } from './context.ts';
import { failingAt } from './failing.ts';
import type { View } from './view.ts';

/** Coerces each item; a bad one stays as it came, none is dropped. */
export function coerceList(context: Context, value: readonly unknown[], view: View, place: Place): Coerced {
  const repairs: Repair[] = [];
  const problems: Problem[] = [];
  let out: unknown[] | undefined;
  value.forEach((item, i) => {
    const schema = i < view.prefix.length ? view.prefix[i] : view.items;
    const at = placeIn(context, value, i, schema ?? true, place);
    const inner = context.coerce(context, item, schema ?? true, place.wrapped ? { ...at, wrapped: true } : at);
    if (inner.value !== item) {
      out ??= [...value];
      out[i] = inner.value;
    }
    if (inner.repairs.length) repairs.push(...under(i, inner.repairs));
    if (inner.problems.length) problems.push(...under(i, inner.problems));
  });
  const wrapped = out?.filter((made, i) => isListOf(made, value[i])).length ?? 0;
  // Two items that each become a list of one may as well be one list of two.
  if (wrapped > 1 && (wrapped < value.length || fitsAsOne(context, value, view, place))) return ambiguous(value, out);
  return { value: out ?? value, repairs, problems };
}

/** Was a list made for this one item, and not read out of it? */
const isListOf = (made: unknown, item: unknown): boolean =>
  Array.isArray(made) && made.length === 1 && !Array.isArray(item) && !/^\s*[[(<]/.test(String(item));

/** Would the list as a whole do for the one item of a list? */
function fitsAsOne(context: Context, value: readonly unknown[], { items, prefix }: View, place: Place): boolean {
  if (items === undefined || prefix.length > 0) return false;
  const whole = context.coerce(context, value, items, {
    ...place,
    container: undefined,
    key: undefined,
    wrapped: true,
  });
  return whole.problems.length === 0 && context.interpreter.passes(whole.value, items);
}

/** A flat list for a list of lists: rows of one, or one row? */
function ambiguous(value: readonly unknown[], rows: unknown): Coerced {
  const [one, other] = [rows, [value]].map((reading) => JSON.stringify(reading).slice(0, 60));
  const message = 'can be read as several lists or as one';
  const problem: Problem = {
    path: [],
    code: 'ambiguous',
    received: value,
    message,
    suggestion: `Send ${one} or ${other}`,
  };
  return { value, repairs: [], problems: [problem] };
}

/** Where an item or field stands, and what its schema allows beside. */
export function placeIn(
  context: Context,
  container: object,
  key: string | number,
  schema: JsonSchema,
  { drop, failing }: Place,
  outside: readonly string[] = [],
): Place {
  const types = typesOf(context, schema);
  const within = failing && failingAt(failing, key);
  return {
    container,
    key,
    drop,
    failing: within,
    alone: types !== undefined && isTextOnly(types),
    text: types?.has('string') ?? true,
    outside,
  };
}

/** Nothing but a string, or null, may come. */
export function isTextOnly(types: ReadonlySet<TypeName>): boolean {
  for (const type of types) if (type !== 'string' && type !== 'null') return false;
  return true;
}
