import { cached } from '../../json/text-cache.ts';
import { nameInMarkup } from '../../json/tolerant/call-markup.ts';
import { hasOwn, isObject, type JsonObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { foldKey } from './fold-key.ts';
import { branchesOf, declaredKeys, type Layout, layoutOf, type View, viewAt, viewFor } from './layout.ts';

/**
 * Whether a valid value contains a key that may have to be renamed, dropped or unwrapped.
 *
 * @param damaged whether its text was mended, so that a key in markup is renamed, too
 */
export function hasForeignKey(value: unknown, root: JsonSchema, damaged = false): boolean {
  if (!isObject(root)) return false;
  const layout = layoutOf(root);
  return !layout.overrun && (walk(layout, value, root, { pairs: new Map(), damaged }) || isWrapped(value, root));
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

interface Walked {
  /** Pairs of value and union with an undeclared key, to check each once. */
  readonly pairs: Map<object, Set<object>>;
  readonly damaged: boolean;
}

function walk(layout: Layout, value: unknown, schema: JsonSchema | undefined, walked: Walked): boolean {
  const node = schema === undefined ? undefined : layout.interpreter.resolve(schema);
  return isObject(node) && walkAll(layout, [value], node as SchemaObject, walked);
}

/** Checks values of one schema, which is looked up once for all items of a list. */
function walkAll(layout: Layout, values: readonly unknown[], node: SchemaObject, walked: Walked): boolean {
  const forms = branchesOf(layout, node)?.filter((form) => holdsParts(layout, form));
  const view = forms ? undefined : viewFor(layout, node);
  for (const value of values) {
    if (typeof value !== 'object' || value === null) continue;
    if (view ? walkParts(layout, value, view, walked) : walkForms(layout, value, node, forms ?? [], walked))
      return true;
  }
  return false;
}

function walkForms(
  layout: Layout,
  value: object,
  node: SchemaObject,
  forms: readonly JsonSchema[],
  walked: Walked,
): boolean {
  const found = cached(walked.pairs, node, () => new Set());
  if (found.has(value)) return true;
  // Set before checking its forms, because one may lead back here.
  found.add(value);
  const isForeign = forms.length > 0 && forms.every((form) => walk(layout, value, form, walked));
  if (!isForeign) found.delete(value);
  return isForeign;
}

function walkParts(layout: Layout, value: object, view: View, walked: Walked): boolean {
  const { properties, closed, patterns, additional, prefix, items } = view;
  if (Array.isArray(value)) {
    if (prefix.some((sub, i) => walk(layout, value[i], sub, walked))) return true;
    const node = items === undefined ? undefined : layout.interpreter.resolve(items);
    return (
      isObject(node) &&
      walkAll(layout, prefix.length ? value.slice(prefix.length) : value, node as SchemaObject, walked)
    );
  }
  for (const key in value) {
    const sub = properties.get(key);
    if (sub === undefined) {
      const isKnown = properties.size + Number(closed) === 0 || patterns.some((pattern) => pattern.test(key));
      const name = (walked.damaged && nameInMarkup(key)) || key;
      if (!isKnown && (closed || isReserved(key) || spelledAlike(properties).has(foldKey(name)))) return true;
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
