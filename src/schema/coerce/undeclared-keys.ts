import { cached } from '../../json/text-cache.ts';
import { hasOwn, isObject, type JsonObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { foldKey } from './fold-key.ts';
import { branchesOf, declaredKeys, type Layout, layoutOf, type View, viewAt, viewFor } from './layout.ts';

/** Whether a valid value contains a key that may have to be renamed, dropped or unwrapped. */
export function hasForeignKey(value: unknown, root: JsonSchema): boolean {
  if (!isObject(root)) return false;
  const layout = layoutOf(root);
  return !layout.overrun && (walk(layout, value, root, new Map()) || isWrapped(value, root));
}

/** Keys of wrappers around the arguments. */
export const wrappers: readonly string[] = ['arguments', 'parameters', 'input', 'args', 'params', 'kwargs'];

/** Keys of wrappers around a complete call. */
export const envelopes: readonly string[] = ['function', 'function_call', 'tool_call'];

const isTitle = (key: string): boolean => wrappers.includes(key) || key === 'name';

function isWrapped(value: unknown, root: JsonSchema): boolean {
  if (!isObject(value)) return false;
  const [only = '', other] = Object.keys(value);
  const inner = other === undefined ? value[only] : undefined;
  const declared = declaredKeys(root);
  return (
    (isObject(inner) && !declared.has(only) && Object.keys(inner).some((key) => declared.has(key) || isTitle(key))) ||
    wrappers.some((key) => hasOwn(value, key) && !declared.has(key)) ||
    envelopes.some((key) => hasOwn(value, key) && isObject(value[key]) && !declared.has(key))
  );
}

/** Pairs of value and union with an undeclared key, to check each once. */
type Walked = Map<object, Set<object>>;

function walk(layout: Layout, value: unknown, schema: JsonSchema | undefined, walked: Walked): boolean {
  if (typeof value !== 'object' || value === null || schema === undefined) return false;
  const node = layout.interpreter.resolve(schema);
  if (!isObject(node)) return false;
  const forms = branchesOf(layout, node as SchemaObject)?.filter((form) => holdsParts(layout, form));
  if (forms) {
    const found = cached(walked, node, () => new Set());
    if (found.has(value)) return true;
    // Set before checking its forms, because one may lead back here.
    found.add(value);
    const isForeign = forms.length > 0 && forms.every((form) => walk(layout, value, form, walked));
    if (!isForeign) found.delete(value);
    return isForeign;
  }
  const { properties, closed, patterns, additional, prefix, items } = viewFor(layout, node as SchemaObject);
  if (Array.isArray(value)) {
    if (items === undefined && prefix.length === 0) return false;
    return value.some((item, i) => walk(layout, item, i < prefix.length ? prefix[i] : items, walked));
  }
  for (const key in value) {
    const sub = properties.get(key);
    if (sub === undefined) {
      const isKnown = properties.size + Number(closed) === 0 || patterns.some((pattern) => pattern.test(key));
      if (!isKnown && (closed || isReserved(key) || spelledAlike(properties).has(foldKey(key)))) return true;
    }
    const inner = (value as JsonObject)[key];
    if (typeof inner === 'object' && walk(layout, inner, sub ?? additional, walked)) return true;
  }
  return false;
}

/** Whether a form of a union may be an object or a list. */
function holdsParts(layout: Layout, form: JsonSchema): boolean {
  const types = viewAt(layout, form)?.types;
  return viewAt(layout, form) !== undefined && (!types || types.includes('object') || types.includes('array'));
}

const spellings = new WeakMap<View['properties'], ReadonlyMap<string, readonly string[]>>();

/** Properties by their normalized name. */
export const spelledAlike = (properties: View['properties']): ReadonlyMap<string, readonly string[]> =>
  cached(spellings, properties, () => Map.groupBy(properties.keys(), (property) => foldKey(property)));

/** Whether a key is never dropped, because programs that copy objects may be confused by it. */
export const isReserved = (key: string): boolean => key === 'constructor' || key === 'prototype';
