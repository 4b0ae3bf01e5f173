import { hasOwn, isObject } from '../../json/value.ts';
import { strips } from '../strips.ts';
import type { JsonSchema, SchemaObject, TypeName } from '../types.ts';
import type { Interpreter } from '../validate/interpreter.ts';
import { compilePattern } from '../validate/patterns.ts';

/** What a schema says of the shape of a value, with `allOf` and `$ref` laid together. */
export interface View {
  /** The types it names; undefined where it names none. */
  readonly types: readonly TypeName[] | undefined;
  readonly members: readonly unknown[] | undefined;
  /** The one type that is all this schema asks of a scalar, so that a check is a look at its type. */
  readonly plain: TypeName | undefined;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** No other keys: the schema forbids them, or its validator would strip them. */
  readonly closed: boolean;
  /** Other keys are not forbidden: the validator takes them out by itself. */
  readonly strips: boolean;
  /** The schema of other keys, where one is said. */
  readonly additional: JsonSchema | undefined;
  readonly patterns: readonly { readonly test: (key: string) => boolean; readonly schema: JsonSchema }[];
  readonly prefix: readonly JsonSchema[];
  readonly items: JsonSchema | undefined;
}

interface Draft {
  types: TypeName[] | undefined;
  members: unknown[] | undefined;
  properties: Map<string, JsonSchema>;
  /** What each part says of a property. */
  parts: Map<string, JsonSchema[]>;
  required: Set<string>;
  closed: boolean;
  strips: boolean;
  additional: JsonSchema | undefined;
  patterns: { test: (key: string) => boolean; schema: JsonSchema }[];
  prefix: JsonSchema[];
  items: JsonSchema | undefined;
}

/** Parts of one schema beyond these are not laid out: the check still sees them. */
const mostParts = 1000;

const list = (held: unknown): unknown[] => (Array.isArray(held) ? held : []);

/** Lays a schema out. Unions are not part of a view: they are taken apart branch by branch. */
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

const silent = new Set(['type', 'title', 'description', 'default', 'examples', 'deprecated']);

function plainType(schema: SchemaObject): TypeName | undefined {
  const alone = typeof schema.type === 'string' && Object.keys(schema).every((word) => silent.has(word));
  return alone ? (schema.type as TypeName) : undefined;
}

/** Lays one schema and its parts; each part once, however many ways lead to it. */
function lay(draft: Draft, schema: JsonSchema, interpreter: Interpreter, seen: Set<unknown>): void {
  const here = interpreter.resolve(schema);
  if (!isObject(here) || seen.has(here) || seen.size >= mostParts) return;
  seen.add(here);
  const node = here as SchemaObject;
  layTypes(draft, node);
  if (isObject(node.properties)) {
    for (const [key, sub] of Object.entries(node.properties)) {
      const parts = draft.parts.get(key) ?? [];
      parts.push(sub as JsonSchema);
      draft.parts.set(key, parts);
      // Flat, because a property that a thousand parts speak of must not nest a thousand deep.
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

/** A schema that names no type but speaks of keys or items means objects or lists. */
function impliedTypes(draft: Draft): TypeName[] | undefined {
  if (draft.properties.size > 0 || draft.required.size > 0) return ['object'];
  return draft.prefix.length > 0 || draft.items !== undefined ? ['array'] : undefined;
}

/** Where views are kept, with what resolves references in them. */
interface Views {
  readonly interpreter: Interpreter;
  readonly views: WeakMap<SchemaObject, View>;
}

/** The view of a schema, laid out once. */
export function viewFor(layout: Views, node: SchemaObject): View {
  let view = layout.views.get(node);
  if (!view) {
    view = viewOf(node, layout.interpreter);
    layout.views.set(node, view);
  }
  return view;
}
