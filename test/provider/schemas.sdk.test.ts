/** What the SDKs themselves make of a lowered schema: their own helpers for strict mode find nothing left to change. */
import { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../src/json/value.ts';
import { lowerSchema } from '../../src/provider/compat/schema/lower-schema.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { brokenSchemas } from './schemas.ts';

/** Anthropic's helper leaves out a type beside listed values, and puts words it does not use into the description. */
const asHelped = (schema: object): unknown =>
  JSON.parse(JSON.stringify(schema), (_, held) => {
    if (!isObject(held) || Array.isArray(held)) return held;
    const listed = Array.isArray(held.enum) || 'const' in held;
    const isSchema = 'type' in held || 'anyOf' in held || listed;
    if (!isSchema || isObject(held.type)) return held;
    const { type, pattern: _pattern, default: _default, description: _description, ...rest } = held;
    return listed ? rest : { ...rest, ...(type !== undefined && { type }) };
  });

describe('strict schemas and the SDKs', () => {
  it.each(brokenSchemas)('$about', ({ schema }) => {
    const openai = lowerSchema(schema as JsonSchema, 'openai-strict').schema;
    expect(toStrictJsonSchema(structuredClone(openai) as never)).toEqual(openai);
    const anthropic = lowerSchema(schema as JsonSchema, 'anthropic-strict').schema;
    expect(asHelped(transformJSONSchema(structuredClone(anthropic) as never))).toEqual(asHelped(anthropic));
  });
});
