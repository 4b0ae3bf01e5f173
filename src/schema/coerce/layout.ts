import { isObject } from '../../json/value.ts';
import { Interpreter } from '../interpret.ts';
import type { JsonSchema, SchemaObject } from '../json-schema.ts';
import { branchesOf } from './branches.ts';
import type { Layout } from './context.ts';
import { viewFor } from './view.ts';

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
  };
  gather(layout, root, keys, 0);
  if (isObject(root)) layouts.set(root, layout);
  return layout;
}

/** The keys the whole may have, in any of its forms. */
export const declaredKeys = (root: JsonSchema): ReadonlySet<string> => layoutOf(root).declared;

function gather(layout: Layout, schema: JsonSchema, keys: Set<string>, depth: number): void {
  const node = layout.interpreter.resolve(schema);
  if (!isObject(node) || depth > 8) return;
  for (const key of viewFor(layout, node as SchemaObject).properties.keys()) keys.add(key);
  for (const form of branchesOf(layout, node as SchemaObject) ?? []) gather(layout, form, keys, depth + 1);
}
