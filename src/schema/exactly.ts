import { isObject } from '../json/value.ts';
import { checkerFor } from './compile.ts';
import type { JsonSchema, SchemaObject } from './json-schema.ts';

/** Words under which a schema stays as strong when its parts grow stronger: what passes the closed one passes it too. */
const plain = new Set(
  'type properties required items prefixItems additionalProperties description title default examples enum const minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format minItems maxItems uniqueItems multipleOf deprecated readOnly writeOnly $schema $comment'.split(
    ' ',
  ),
);

/**
 * One check instead of two for good calls: the schema with every object closed, so that a value that passes has neither
 * problems nor undeclared keys. A schema with other words gets a check that always says no, and the long way is gone.
 */
export function exactly(schema: JsonSchema): (value: unknown) => boolean {
  const closed = close(schema, 0);
  if (closed === undefined) return () => false;
  const checker = checkerFor(closed, { own: false });
  return (value) => checker.passes(value);
}

function close(schema: JsonSchema, depth: number): JsonSchema | undefined {
  if (!isObject(schema)) return schema;
  if (depth > 32 || !Object.keys(schema).every((word) => plain.has(word))) return undefined;
  // Generated code that lets inherited properties count would find these on every object.
  const named = [...Object.keys(schema.properties ?? {}), ...((schema.required as string[] | undefined) ?? [])];
  if (named.some((key) => key in Object.prototype)) return undefined;
  const closed: SchemaObject = { ...(schema as SchemaObject) };
  if (isObject(closed.properties)) {
    const properties: Record<string, JsonSchema> = {};
    for (const [key, sub] of Object.entries(closed.properties)) {
      const inner = close(sub as JsonSchema, depth + 1);
      if (inner === undefined) return undefined;
      properties[key] = inner;
    }
    closed.properties = properties;
    if (Object.keys(properties).length > 0) closed.additionalProperties = false;
  } else if (isObject(closed.additionalProperties)) return undefined;
  if (Array.isArray(closed.items) || closed.prefixItems !== undefined) return undefined;
  if (closed.items !== undefined) {
    const inner = close(closed.items, depth + 1);
    if (inner === undefined) return undefined;
    closed.items = inner;
  }
  return closed;
}
