/** Short words for schemas. */
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import type { JsonSchema, SchemaObject } from '../../src/schema/types.ts';
import type { Random } from './random.ts';

export const str: SchemaObject = { type: 'string' };
export const num: SchemaObject = { type: 'number' };
export const int: SchemaObject = { type: 'integer' };
export const bool: SchemaObject = { type: 'boolean' };
export const nothing: SchemaObject = { type: 'null' };

export const enumOf = (...members: readonly string[]): SchemaObject => ({ type: 'string', enum: [...members] });
export const listOf = (items: JsonSchema): SchemaObject => ({ type: 'array', items });
export const ref = (name: string): SchemaObject => ({ $ref: `#/$defs/${name}` });

/** An object that allows no other keys. */
export const closed = (properties: Record<string, JsonSchema>, required: string[] = []): SchemaObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** An object that says nothing about other keys. */
export const open = (properties: Record<string, JsonSchema>, required: string[] = []): SchemaObject => ({
  type: 'object',
  properties,
  required,
});

/** A member that is there in a share of the calls. */
export const optional = (random: Random, key: string, make: () => JsonValue, share = 0.6): JsonObject =>
  random.chance(share) ? { [key]: make() } : {};
