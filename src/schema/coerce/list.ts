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
  return { value: out ?? value, repairs, problems };
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
