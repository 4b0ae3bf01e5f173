import { hasOwn, isObject } from '../../../json/value.ts';
import type { SchemaObject } from '../../../schema/types.ts';
import { Interpreter } from '../../../schema/validate/interpreter.ts';
import type { Plan } from './state.ts';

type Plans = WeakMap<object, Plan>;

/**
 * Converts a value written for a lowered schema back to the original schema: removes nulls of optional properties, and
 * restores property names. Returns the same value if nothing changes.
 */
export function lift(value: unknown, schema: SchemaObject, plans: Plans): unknown {
  const judge = new Interpreter(schema);
  return liftBy(value, [schema], judge, plans, 0);
}

const deepest = 400;

function liftBy(value: unknown, schemas: readonly unknown[], judge: Interpreter, plans: Plans, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  const nodes = schemas.flatMap((schema) => applying(value, schema, judge, 0));
  if (nodes.length === 0) return value;
  if (Array.isArray(value)) {
    const items = value.map((item, index) => {
      const inside = nodes.map(({ prefixItems, items: rest }) => prefixItems?.[index] ?? rest);
      return liftBy(item, inside, judge, plans, depth + 1);
    });
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isObject(value) ? liftObject(value, nodes, judge, plans, depth) : value;
}

function liftObject(
  value: Record<string, unknown>,
  nodes: readonly SchemaObject[],
  judge: Interpreter,
  plans: Plans,
  depth: number,
): unknown {
  let changed = false;
  const entries = Object.entries(value).flatMap(([key, held]): [string, unknown][] => {
    const declaring = nodes.filter(({ properties }) => properties && hasOwn(properties, key));
    const planned = declaring.map(({ properties }) => plans.get(properties as object));
    // If one matching form allows null, the null may be intended.
    if (held === null && planned.length > 0 && planned.every((plan) => plan?.nulls.has(key))) {
      changed = true;
      return [];
    }
    const inside = nodes.map(({ properties, additionalProperties }) =>
      properties && hasOwn(properties, key) ? properties[key] : additionalProperties,
    );
    const lifted = liftBy(held, inside, judge, plans, depth + 1);
    const name = planned.map((plan) => plan?.names.get(key)).find((one) => one !== undefined) ?? key;
    changed ||= lifted !== held || name !== key;
    return [[name, lifted]];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/**
 * The schemas that apply to a value: reference targets and the matching forms of a union, or all forms if none matches.
 */
function applying(value: unknown, schema: unknown, judge: Interpreter, turn: number): SchemaObject[] {
  const node = typeof schema === 'object' && schema !== null ? judge.resolve(schema as SchemaObject) : undefined;
  if (!isObject(node) || turn > 16) return [];
  const here = node as SchemaObject;
  const forms = here.anyOf ?? here.oneOf ?? [];
  const fitting = forms.filter((form) => judge.passes(value, form));
  const inside = (fitting.length > 0 ? fitting : forms).flatMap((form) => applying(value, form, judge, turn + 1));
  const all = (here.allOf ?? []).flatMap((form) => applying(value, form, judge, turn + 1));
  return [...(here.properties || here.items || here.prefixItems ? [here] : []), ...inside, ...all];
}
