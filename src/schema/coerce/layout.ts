import { cached } from '../../json/text-cache.ts';
import { hasOwn, isObject, typeName } from '../../json/value.ts';
import { strips } from '../strips.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import { Interpreter } from '../validate/interpreter.ts';
import { compilePattern } from '../validate/patterns.ts';
import { Refs, subschemas } from '../validate/refs.ts';

/** What is computed once per schema. */
export interface Layout {
  readonly interpreter: Interpreter;
  readonly views: WeakMap<SchemaObject, View>;
  readonly branches: WeakMap<SchemaObject, readonly JsonSchema[]>;
  readonly ids: WeakMap<object, number>;
  /** Allowed types of each schema; null for any. */
  readonly types: WeakMap<SchemaObject, ReadonlySet<TypeName> | null>;
  readonly declared: ReadonlySet<string>;
  /** Whether the schema combines more forms than can be tried, so that nothing is coerced. */
  readonly overrun: boolean;
}

const layouts = new WeakMap<object, Layout>();

/** The layout of a schema, cached per schema object. */
export const layoutOf = (root: JsonSchema): Layout =>
  isObject(root) ? cached(layouts, root, () => newLayout(root)) : newLayout(root);

function newLayout(root: JsonSchema): Layout {
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
  for (const node of layout.overrun ? [] : withForms(layout, [root]))
    for (const key of viewFor(layout, node).properties.keys()) keys.add(key);
  return layout;
}

/** The keys of the root in all its forms. Without a schema there are none. */
export const declaredKeys = (root: JsonSchema | undefined): ReadonlySet<string> =>
  root === undefined ? new Set() : layoutOf(root).declared;

/** The schemas and all their forms, with references resolved, up to a limit. */
export function withForms(
  layout: Layout,
  schemas: readonly (JsonSchema | undefined)[],
  most = Number.POSITIVE_INFINITY,
): SchemaObject[] {
  const found = new Set<SchemaObject>();
  for (const schema of schemas) {
    const open = new Set([schema]);
    for (const next of open) {
      const place = layout.interpreter.resolve(next ?? true);
      if (!isObject(place) || found.has(place as SchemaObject)) continue;
      if (found.size === most) return [...found];
      found.add(place as SchemaObject);
      for (const form of branchesOf(layout, place as SchemaObject) ?? []) if (open.size < most) open.add(form);
    }
  }
  return [...found];
}

/** The shape that a schema describes, with `allOf` and `$ref` merged. */
export interface View {
  /** The types in `type`; undefined if there are none. */
  readonly types: readonly TypeName[] | undefined;
  readonly members: readonly unknown[] | undefined;
  /** The type, if it is the only constraint on a scalar, so that checking it is enough. */
  readonly plain: TypeName | undefined;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Whether other keys are forbidden, or stripped by the validator. */
  readonly closed: boolean;
  /** Whether the validator strips other keys instead of rejecting them. */
  readonly strips: boolean;
  /** The schema of other keys, if there is one. */
  readonly additional: JsonSchema | undefined;
  readonly patterns: readonly { readonly test: (key: string) => boolean; readonly schema: JsonSchema }[];
  readonly prefix: readonly JsonSchema[];
  readonly items: JsonSchema | undefined;
}

interface Draft {
  types: TypeName[] | undefined;
  members: unknown[] | undefined;
  properties: Map<string, JsonSchema>;
  /** The schemas of each property in all parts. */
  parts: Map<string, JsonSchema[]>;
  required: Set<string>;
  closed: boolean;
  strips: boolean;
  additional: JsonSchema | undefined;
  patterns: { test: (key: string) => boolean; schema: JsonSchema }[];
  prefix: JsonSchema[];
  items: JsonSchema | undefined;
}

/** Maximum number of parts. Validation still checks the rest. */
const mostParts = 1000;

const list = (held: unknown): unknown[] => (Array.isArray(held) ? held : []);

/** Creates the view of a schema. Unions aren't part of it: they are handled branch by branch. */
function viewOf(schema: SchemaObject, interpreter: Interpreter): View {
  const draft: Draft = {
    types: undefined,
    members: undefined,
    properties: new Map(),
    parts: new Map(),
    required: new Set(),
    closed: false,
    strips: false,
    additional: undefined,
    patterns: [],
    prefix: [],
    items: undefined,
  };
  lay(draft, schema, interpreter, new Set());
  const { parts: _, ...view } = draft;
  return { ...view, types: draft.types ?? impliedTypes(draft), plain: plainType(schema) };
}

/** Keywords that only describe. */
const notes = 'title description default examples deprecated readOnly writeOnly'.split(' ');
const silent = new Set(['type', ...notes]);

function plainType(schema: SchemaObject): TypeName | undefined {
  const alone = typeof schema.type === 'string' && Object.keys(schema).every((word) => silent.has(word));
  return alone ? (schema.type as TypeName) : undefined;
}

/** Whether a value is of the type that is the only constraint on a scalar (`View.plain`). */
export const isPlain = (value: unknown, plain: TypeName | undefined): boolean =>
  plain === 'integer'
    ? Number.isInteger(value)
    : (plain === 'string' || plain === 'number' || plain === 'boolean') && typeof value === plain;

/** Merges a schema and its parts, each once. */
function lay(draft: Draft, schema: JsonSchema, interpreter: Interpreter, seen: Set<unknown>): void {
  const here = interpreter.resolve(schema);
  if (!isObject(here) || seen.has(here) || seen.size >= mostParts) return;
  seen.add(here);
  const node = here as SchemaObject;
  layTypes(draft, node);
  if (isObject(node.properties)) {
    for (const [key, sub] of Object.entries(node.properties)) {
      const parts = cached(draft.parts, key, () => []);
      parts.push(sub as JsonSchema);
      // A flat list, because a property in a thousand parts must not nest a thousand levels.
      draft.properties.set(key, parts.length === 1 ? (sub as JsonSchema) : { allOf: parts });
    }
  }
  for (const key of list(node.required)) if (typeof key === 'string') draft.required.add(key);
  if (node.additionalProperties === false || node.unevaluatedProperties === false) draft.closed = true;
  if (node[strips] === true) draft.strips = true;
  else if (isObject(node.additionalProperties)) draft.additional = node.additionalProperties as JsonSchema;
  if (isObject(node.patternProperties)) {
    for (const [source, sub] of Object.entries(node.patternProperties)) {
      const pattern = compilePattern(source);
      draft.patterns.push({ test: (key) => pattern?.test(key) ?? true, schema: sub as JsonSchema });
    }
  }
  layItems(draft, node);
  for (const part of list(node.allOf)) lay(draft, part as JsonSchema, interpreter, seen);
}

function layTypes(draft: Draft, node: SchemaObject): void {
  const named = node.type === undefined ? undefined : ([node.type].flat() as TypeName[]);
  if (named) draft.types = draft.types ? draft.types.filter((type) => named.includes(type)) : named;
  const members = hasOwn(node, 'const') ? [node.const] : Array.isArray(node.enum) ? node.enum : undefined;
  if (members) draft.members = draft.members ? draft.members.filter((one) => members.includes(one)) : members;
}

function layItems(draft: Draft, node: SchemaObject): void {
  const prefix = node.prefixItems ?? (Array.isArray(node.items) ? node.items : undefined);
  if (prefix && draft.prefix.length === 0) draft.prefix = prefix;
  const rest = Array.isArray(node.items) ? node.additionalItems : node.items;
  if (rest !== undefined && draft.items === undefined) draft.items = rest as JsonSchema;
}

/** The type implied by keys or items if a schema has no `type`. */
function impliedTypes(draft: Draft): TypeName[] | undefined {
  if (draft.properties.size > 0 || draft.required.size > 0) return ['object'];
  return draft.prefix.length > 0 || draft.items !== undefined ? ['array'] : undefined;
}

/** A cache of views, with their interpreter. */
interface Views {
  readonly interpreter: Interpreter;
  readonly views: WeakMap<SchemaObject, View>;
}

/** The view of a schema, cached. */
export const viewFor = (layout: Views, node: SchemaObject): View =>
  cached(layout.views, node, () => viewOf(node, layout.interpreter));

/** The view of a schema behind its references; undefined for `true` and `false`. */
export function viewAt(layout: Views, schema: JsonSchema | undefined): View | undefined {
  const node = layout.interpreter.resolve(schema ?? true);
  return isObject(node) ? viewFor(layout, node as SchemaObject) : undefined;
}

/**
 * The forms that a schema allows, each merged with the keywords next to the union: the branches of `anyOf` or `oneOf`,
 * one form per type in a list, and null for OpenAPI's `nullable`. Undefined if there is only one.
 */
export function branchesOf(context: Layout, schema: SchemaObject, depth = 0): readonly JsonSchema[] | undefined {
  const known = context.branches.get(schema);
  if (known) return known.length ? known : undefined;
  const found = depth > deepest ? [] : split(context, schema, depth);
  context.branches.set(schema, found);
  return found.length ? found : undefined;
}

const deepest = 64;

function split(context: Layout, schema: SchemaObject, depth: number): readonly JsonSchema[] {
  for (const word of ['anyOf', 'oneOf'] as const) {
    const forms = schema[word];
    if (!Array.isArray(forms) || forms.length === 0) continue;
    const { [word]: _, ...rest } = schema;
    const bare = Object.keys(rest).every((key) => besideUnion.has(key));
    const whole = [...new Set(forms.map((form) => context.interpreter.resolve(form)))];
    return bare ? whole : whole.map((form) => ({ allOf: [rest, form] }));
  }
  const { allOf } = schema;
  if (Array.isArray(allOf)) {
    const at = allOf.findIndex((part) => {
      const whole = context.interpreter.resolve(part);
      return isObject(whole) && branchesOf(context, whole as SchemaObject, depth + 1) !== undefined;
    });
    if (at !== -1) return spread(context, schema, at);
  }
  if (Array.isArray(schema.type) && schema.type.length > 1) return schema.type.map((type) => ofType(schema, type));
  if (schema.nullable === true) {
    const { nullable: _, ...rest } = schema;
    return [rest, { type: 'null' }];
  }
  return [];
}

/** A union inside `allOf`: each of its forms with all other parts. */
function spread(context: Layout, schema: SchemaObject, at: number): readonly JsonSchema[] {
  const parts = schema.allOf as JsonSchema[];
  const forms = branchesOf(context, context.interpreter.resolve(parts[at] as JsonSchema) as SchemaObject) ?? [];
  return forms.map((form) => ({ ...schema, allOf: parts.map((part, i) => (i === at ? form : part)) }));
}

/** The part of a schema for one of its types. */
const ofType = (schema: SchemaObject, type: TypeName): JsonSchema => ({ ...schema, type });

/** The types that a schema allows; undefined for any. */
export function typesOf(layout: Layout, schema: JsonSchema, depth = 0): ReadonlySet<TypeName> | undefined {
  const node = layout.interpreter.resolve(schema);
  if (!isObject(node) || depth > 16) return undefined;
  const known = layout.types.get(node as SchemaObject);
  if (known !== undefined) return known ?? undefined;
  const types = workOut(layout, node as SchemaObject, depth);
  layout.types.set(node as SchemaObject, types ?? null);
  return types;
}

function workOut(layout: Layout, node: SchemaObject, depth: number): ReadonlySet<TypeName> | undefined {
  const forms = branchesOf(layout, node);
  if (forms) {
    const all = forms.map((form) => typesOf(layout, form, depth + 1));
    return all.includes(undefined) ? undefined : new Set(all.flatMap((types) => [...(types as Set<TypeName>)]));
  }
  if (typeof node.type === 'string') return new Set([node.type]);
  for (const part of Array.isArray(node.allOf) ? node.allOf : []) {
    const types = typesOf(layout, part, depth + 1);
    if (types) return types;
  }
  const members = Array.isArray(node.enum) ? node.enum : Object.hasOwn(node, 'const') ? [node.const] : undefined;
  return members && new Set(members.map(typeName) as TypeName[]);
}

/** Keywords next to a union that don't constrain its forms. */
export const besideUnion: ReadonlySet<string> = new Set([
  ...notes,
  ...'$schema $comment $id $defs definitions example discriminator'.split(' '),
]);

/** Maximum number of combined forms: `allOf` with ten unions of two forms has 1024. */
export const mostForms = 1000;

/**
 * Whether unions that apply to the same value combine to more forms than can be tried. Each schema is counted once, so
 * that nested references are cheap.
 */
export function hasTooManyForms(root: JsonSchema): boolean {
  const refs = new Refs(root);
  const known = new Map<unknown, number>();
  let all = 0;

  const part = (schema: unknown): number => known.get(schema) ?? 1;
  const sum = (forms: unknown): number =>
    Array.isArray(forms) && forms.length > 0 ? forms.reduce((total: number, form) => total + part(form), 0) : 1;

  const count = (schema: SchemaObject): number => {
    const target = typeof schema.$ref === 'string' ? part(refs.target(schema.$ref, schema)) : 1;
    const types = Array.isArray(schema.type) ? Math.max(1, schema.type.length) : 1;
    const several = [sum(schema.anyOf), sum(schema.oneOf), target, types, schema.nullable === true ? 2 : 1];
    for (const one of Array.isArray(schema.allOf) ? schema.allOf : []) several.push(part(one));
    const combined = several.filter((one) => one > 1);
    const forms = combined.reduce((product, one) => Math.min(product * one, mostForms + 1), 1);
    // A single union is tried form by form; several are combined.
    const alone = combined.length < 2 && Object.keys(schema).every((word) => unions.has(word) || besideUnion.has(word));
    const written = [schema.anyOf, schema.oneOf, schema.type].reduce(
      (total: number, held) => total + (Array.isArray(held) ? held.length : 0),
      2,
    );
    if (!alone && forms > written) all += forms;
    return forms;
  };

  for (const schema of fromLeaves(root, refs)) {
    known.set(schema, count(schema));
    if (all > mostForms) return true;
  }
  return false;
}

const unions: ReadonlySet<string> = new Set(['anyOf', 'oneOf', '$ref']);

/** All schemas of a document, those for the same value before the schema that contains them. Cycles are cut. */
function* fromLeaves(root: JsonSchema, refs: Refs): Generator<SchemaObject> {
  const seen = new Set<unknown>();
  const open: { readonly schema: SchemaObject; readonly inner: Iterator<unknown> }[] = [];
  const enter = (schema: unknown) => {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    open.push({ schema, inner: inside(schema, refs) });
  };
  enter(root);
  for (let here = open.at(-1); here; here = open.at(-1)) {
    const next = here.inner.next();
    if (!next.done) enter(next.value);
    else {
      open.pop();
      yield here.schema;
    }
  }
}

function* inside(schema: SchemaObject, refs: Refs): Generator<unknown> {
  for (const [held] of subschemas(schema)) yield held;
  if (typeof schema.$ref === 'string') yield refs.target(schema.$ref, schema);
}
