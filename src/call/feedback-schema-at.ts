import { isObject, type Path } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from '../schema/json-schema.ts';
import { Refs } from '../schema/refs.ts';

const maxRefs = 32;
const refsOf = new WeakMap<object, Refs>();

/** The schema behind a `$ref`, as an object; undefined for `true`, `false` and what can't be found. */
export function resolved(schema: unknown, root: JsonSchema): SchemaObject | undefined {
  let current = schema;
  for (let hops = 0; hops < maxRefs && isObject(current); hops++) {
    const here = current as SchemaObject;
    if (typeof here.$ref !== 'string') return here;
    current = typeof root === 'object' ? indexed(root).target(here.$ref, here) : undefined;
  }
  return undefined;
}

function indexed(root: SchemaObject): Refs {
  const refs = refsOf.get(root) ?? new Refs(root);
  refsOf.set(root, refs);
  return refs;
}

/** What a schema says of the value at a path, looked for through refs and the branches of unions. */
export function schemaAt(root: JsonSchema | undefined, path: Path): SchemaObject | undefined {
  if (root === undefined) return undefined;
  let places = branches(root, root);
  for (const step of path) {
    places = places.flatMap((place) => branches(child(place, step), root)).slice(0, maxRefs);
    if (places.length === 0) return undefined;
  }
  return places[0];
}

/** The schema itself and what its `allOf`, `anyOf` and `oneOf` hold, refs followed, each once and not too many. */
function branches(schema: unknown, root: JsonSchema): SchemaObject[] {
  const found = new Set<SchemaObject>();
  const open = [schema];
  for (const next of open) {
    const place = resolved(next, root);
    if (!place || found.has(place)) continue;
    found.add(place);
    if (found.size >= maxRefs) break;
    for (const list of [place.allOf, place.anyOf, place.oneOf])
      if (Array.isArray(list)) open.push(...list.slice(0, maxRefs));
  }
  return [...found];
}

function child(schema: SchemaObject, step: string | number): unknown {
  if (typeof step === 'number') return itemSchema(schema, step);
  const { properties, additionalProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, step)) return properties[step];
  return additionalProperties;
}

/** The schema of a list's item, in the tuples of both drafts too. */
export function itemSchema(schema: SchemaObject, index: number): unknown {
  const { prefixItems, items, additionalItems } = schema;
  if (Array.isArray(prefixItems) && index < prefixItems.length) return prefixItems[index];
  if (!Array.isArray(items)) return items;
  return index < items.length ? items[index] : additionalItems;
}
