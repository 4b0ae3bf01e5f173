import { cached } from '../../json/text-cache.ts';
import { hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';
import { foldKey } from './fold-key.ts';
import { branchesOf, declaredKeys, type Layout, layoutOf, viewFor } from './layout.ts';

/** The keys of a schema, prepared for quickly checking valid values. */
interface Shape {
  /** Known keys with the shapes of their values; undefined if any key is allowed. */
  keys: Map<string, Shape | undefined> | undefined;
  /** Whether other keys are forbidden or stripped. Otherwise only one spelled like a known key matters. */
  closed: boolean;
  folded: Set<string>;
  others: Shape | undefined;
  patterns: ((key: string) => boolean)[];
  prefix: (Shape | undefined)[];
  items: Shape | undefined;
  forms: Shape[];
}

const shapes = new WeakMap<object, Shape | null>();

/** Whether a valid value contains a key that may have to be renamed, dropped or unwrapped. */
export function hasForeignKey(value: unknown, root: JsonSchema): boolean {
  if (!isObject(root)) return false;
  const shape = cached(shapes, root, () => {
    const layout = layoutOf(root);
    return (layout.overrun ? undefined : layOut(layout, root, new Map())) ?? null;
  });
  return shape !== null && (walk(value, shape, new Map()) || isWrapped(value, root));
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

const deepest = 256;

function layOut(layout: Layout, schema: JsonSchema, seen: Map<object, Shape>, depth = 0): Shape | undefined {
  const node = layout.interpreter.resolve(schema);
  if (!isObject(node) || depth > deepest) return undefined;
  const known = seen.get(node);
  if (known) return known;
  const shape: Shape = {
    keys: undefined,
    closed: false,
    folded: new Set(),
    others: undefined,
    patterns: [],
    prefix: [],
    items: undefined,
    forms: [],
  };
  seen.set(node, shape);
  const forms = branchesOf(layout, node as SchemaObject);
  if (forms) {
    for (const form of forms) {
      const inner = layOut(layout, form, seen, depth + 1);
      if (inner) shape.forms.push(inner);
    }
    return shape.forms.length ? shape : undefined;
  }
  const view = viewFor(layout, node as SchemaObject);
  if (view.types && !view.types.includes('object') && !view.types.includes('array')) return undefined;
  if (view.properties.size || view.closed) {
    shape.keys = new Map([...view.properties].map(([key, sub]) => [key, layOut(layout, sub, seen, depth + 1)]));
    shape.closed = view.closed;
    shape.folded = new Set([...view.properties.keys(), 'constructor', 'prototype'].map(foldKey));
  }
  shape.patterns = view.patterns.map((pattern) => pattern.test);
  shape.others = view.additional === undefined ? undefined : layOut(layout, view.additional, seen, depth + 1);
  shape.prefix = view.prefix.map((sub) => layOut(layout, sub, seen, depth + 1));
  shape.items = view.items === undefined ? undefined : layOut(layout, view.items, seen, depth + 1);
  return shape;
}

/** Pairs of value and union with an undeclared key, to check each once. */
type Walked = Map<Shape, Set<object>>;

function walk(value: unknown, shape: Shape, walked: Walked): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (shape.forms.length) {
    const found = walked.get(shape) ?? new Set();
    if (found.has(value)) return true;
    // Set before checking its forms, because one may lead back here.
    walked.set(shape, found.add(value));
    const isForeign = shape.forms.every((form) => walk(value, form, walked));
    if (!isForeign) found.delete(value);
    return isForeign;
  }
  if (Array.isArray(value)) {
    const { prefix, items } = shape;
    if (!items && prefix.length === 0) return false;
    for (let i = 0; i < value.length; i++) {
      const inner = i < prefix.length ? prefix[i] : items;
      if (inner && walk(value[i], inner, walked)) return true;
    }
    return false;
  }
  const { keys, others } = shape;
  for (const key in value) {
    const inner = keys?.get(key);
    if (inner) {
      if (walk((value as Record<string, unknown>)[key], inner, walked)) return true;
    } else {
      const isKnown = !keys || keys.has(key) || shape.patterns.some((test) => test(key));
      if (!isKnown && (shape.closed || shape.folded.has(foldKey(key)))) return true;
      if (others && walk((value as Record<string, unknown>)[key], others, walked)) return true;
    }
  }
  return false;
}
