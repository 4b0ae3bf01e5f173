import { hasOwn, isObject } from '../../json/value.ts';
import type { JsonSchema, SchemaObject } from '../types.ts';

/** A document: the root, or a part with an `$id`. */
interface Resource {
  readonly root: JsonSchema;
  readonly id: string;
  readonly anchors: Map<string, SchemaObject>;
}

/** Base for relative ids; never fetched. */
const nowhere = 'schema:///';

const absolute = (id: string, base: string): string => {
  try {
    return new URL(id, base).href;
  } catch {
    return id;
  }
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const follow = (from: unknown, pointer: string): JsonSchema | undefined => {
  let here = from;
  for (const part of pointer.split('/').slice(1)) {
    const key = decoded(part).replace(/~1/g, '/').replace(/~0/g, '~');
    if (typeof here !== 'object' || here === null || !hasOwn(here, key)) return undefined;
    here = (here as Record<string, unknown>)[key];
  }
  return typeof here === 'boolean' || isObject(here) ? here : undefined;
};

/** Resolves the references of a document, which is indexed on first use. */
export class Refs {
  readonly #root: JsonSchema;
  #home: Resource | undefined;
  readonly #byId = new Map<string, Resource>();
  readonly #parts = new Map<SchemaObject, Resource>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** The target of a `$ref` in `from`; undefined if this document doesn't contain it. */
  target(ref: string, from: SchemaObject): JsonSchema | undefined {
    const home = this.#index();
    const base = this.#parts.get(from) ?? home;
    const hash = ref.indexOf('#');
    const address = hash < 0 ? ref : ref.slice(0, hash);
    const fragment = hash < 0 ? '' : decoded(ref.slice(hash + 1));
    const resource = address === '' ? base : this.#byId.get(absolute(address, base.id));
    if (resource === undefined) return undefined;
    if (fragment === '') return resource.root;
    if (!fragment.startsWith('/')) return resource.anchors.get(fragment);
    // Generators write pointers from the root of the document even inside a part with an `$id`.
    const pointer = ref.slice(hash + 1);
    return follow(resource.root, pointer) ?? (address === '' ? follow(this.#root, pointer) : undefined);
  }

  #index(): Resource {
    if (this.#home !== undefined) return this.#home;
    const home: Resource = { root: this.#root, id: nowhere, anchors: new Map() };
    const seen = new Set<SchemaObject>();
    const open: (readonly [unknown, Resource])[] = [[this.#root, home]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [schema, outer] = next;
      if (!isObject(schema) || seen.has(schema)) continue;
      seen.add(schema);
      const resource = this.#enter(schema, outer);
      if (resource !== home) this.#parts.set(schema, resource);
      for (const [sub] of subschemas(schema)) open.push([sub, resource]);
    }
    this.#home = (typeof this.#root === 'object' ? this.#parts.get(this.#root) : undefined) ?? home;
    return this.#home;
  }

  /** The resource of a schema: a new one if it has an `$id`. Draft 7 writes anchors as `$id: "#name"`. */
  #enter(schema: SchemaObject, outer: Resource): Resource {
    let resource = outer;
    const id = schema.$id;
    if (typeof id === 'string' && id.startsWith('#')) resource.anchors.set(id.slice(1), schema);
    else if (typeof id === 'string') {
      const full = absolute(id, outer.id).replace(/#$/, '');
      resource = { root: schema, id: full, anchors: new Map() };
      if (!this.#byId.has(full)) this.#byId.set(full, resource);
    }
    for (const name of [schema.$anchor, schema.$dynamicAnchor]) {
      if (typeof name === 'string') resource.anchors.set(name, schema);
    }
    return resource;
  }
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Keywords that contain schemas by name, in a list, or a single one. Everything else is data. */
const maps = words('$defs definitions properties patternProperties dependentSchemas dependencies');
const lists = words('allOf anyOf oneOf prefixItems items');
const ones = words(
  'items additionalItems contains unevaluatedItems additionalProperties propertyNames unevaluatedProperties not if then else contentSchema',
);

/** The direct subschemas of a schema, with their keyword and key. */
export function* subschemas(schema: SchemaObject): Generator<readonly [unknown, string, string?]> {
  for (const word of Object.keys(schema)) {
    const held = schema[word];
    if (Array.isArray(held) ? lists.has(word) : maps.has(word) && isObject(held)) {
      for (const [key, sub] of Object.entries(held as object)) {
        // `dependencies` can also contain lists of names.
        if (word !== 'dependencies' || !Array.isArray(sub)) yield [sub, word, key];
      }
    } else if (ones.has(word)) yield [held, word];
  }
}
