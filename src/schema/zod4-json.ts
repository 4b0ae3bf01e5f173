import { isObject } from '../json/value.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';
import { Refs } from './refs.ts';
import { strips } from './strips.ts';
import { subschemas } from './subschemas.ts';

interface Seen {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string; readonly catchall?: unknown } } };
  readonly jsonSchema: SchemaObject;
}

const override = ({ zodSchema, jsonSchema }: Seen): void => {
  const { def } = zodSchema._zod;
  if (def.type !== 'object' || def.catchall !== undefined) return;
  jsonSchema.additionalProperties = false;
  jsonSchema[strips] = true;
};

/** The JSON Schema of what goes into a Zod 4 schema; undefined where Zod can't tell. */
export const zod4Json = (source: unknown): JsonSchema | undefined => {
  try {
    // The shape is Zod's; whatever is missing of it throws and is caught.
    const standard = (source as { '~standard': { jsonSchema: { input(options: unknown): SchemaObject } } })[
      '~standard'
    ];
    const json = standard.jsonSchema.input({
      target: 'draft-2020-12',
      libraryOptions: { unrepresentable: 'any', override },
    });
    return strippedTogether(json);
  } catch {
    return undefined;
  }
};

/**
 * An intersection of objects that strip knows the keys of all its parts, so none of them may forbid the others':
 * the rest is forbidden once, for the whole.
 */
export const strippedTogether = (root: SchemaObject): SchemaObject => {
  const refs = new Refs(root);
  const seen = new Set<SchemaObject>();
  const open: SchemaObject[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const [sub] of subschemas(next)) if (isObject(sub)) open.push(sub);
  }
  // Innermost first, so that an intersection of intersections finds its parts done.
  for (const schema of [...seen].reverse()) if (Array.isArray(schema.allOf)) loosen(schema, schema.allOf, refs);
  return root;
};

const loosen = (whole: SchemaObject, parts: JsonSchema[], refs: Refs): void => {
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) continue;
    const target = typeof part.$ref === 'string' ? refs.target(part.$ref, part) : part;
    if (!isObject(target) || target[strips] !== true) continue;
    const { additionalProperties, unevaluatedProperties, [strips]: _strips, ...rest }: SchemaObject = target;
    parts[index] = rest;
    whole.unevaluatedProperties = false;
    whole[strips] = true;
  }
};
