import { isObject } from '../../json/value.ts';
import { hasTooManyForms } from '../form-count.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { Interpreter } from '../validate/interpreter.ts';
import { branchesOf } from './branches.ts';
import type { Layout } from './context.ts';
import { viewFor } from './schema-view.ts';

const layouts = new WeakMap<object, Layout>();

/** The layout of a schema, made once for each schema object. */
export function layoutOf(root: JsonSchema): Layout {
  const known = isObject(root) ? layouts.get(root) : undefined;
  if (known) return known;
  const keys = new Set<string>();
  const layout: Layout = {
    interpreter: new Interpreter(root),
    views: new WeakMap(),
    branches: new WeakMap(),
    ids: new WeakMap(),
    types: new WeakMap(),
    declared: keys,
    overrun: hasTooManyForms(root),
  };
  if (!layout.overrun) gather(layout, root, keys, new Set());
  if (isObject(root)) layouts.set(root, layout);
  return layout;
}

/** The keys the whole may have, in any of its forms. */
export const declaredKeys = (root: JsonSchema): ReadonlySet<string> => layoutOf(root).declared;

function gather(layout: Layout, root: JsonSchema, keys: Set<string>, open: Set<JsonSchema>): void {
  open.add(layout.interpreter.resolve(root));
  for (const node of open) {
    if (!isObject(node)) continue;
    for (const key of viewFor(layout, node as SchemaObject).properties.keys()) keys.add(key);
    for (const form of branchesOf(layout, node as SchemaObject) ?? []) open.add(layout.interpreter.resolve(form));
  }
}
