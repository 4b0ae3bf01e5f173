import { describe, expect, it } from 'vitest';
import { cpuOf, growthOf } from '../../../../test/cpu-of.ts';
import type { JsonSchema, SchemaObject } from '../../../schema/types.ts';
import { lowerSchema } from './lower-schema.ts';

const object = (properties: SchemaObject['properties'], more: SchemaObject = {}): SchemaObject => ({
  type: 'object',
  ...(properties && { properties }),
  ...more,
});
const lowered = (schema: JsonSchema, target: Parameters<typeof lowerSchema>[1]) => lowerSchema(schema, target).schema;

describe('lowerSchema', () => {
  it('moves a word that is refused into the description, in plain words, and says so', () => {
    const schema = object({ id: { type: 'string', pattern: '^a+$', description: 'The id' } });
    const { schema: after, changes } = lowerSchema(schema, 'gemini');
    expect(after).toEqual(object({ id: { type: 'string', description: 'The id. Must match ^a+$.' } }));
    expect(changes).toEqual([
      { path: ['properties', 'id'], word: 'pattern', kind: 'described', why: 'the keyword is rejected' },
    ]);
  });

  it('makes one object of a union at the root, and tells which properties go together', () => {
    const kinds = {
      oneOf: [
        object({ kind: { const: 'file' }, path: { type: 'string' } }, { required: ['kind', 'path'] }),
        object(
          { kind: { const: 'url' }, url: { type: 'string' }, depth: { type: 'integer' } },
          { required: ['kind', 'url'] },
        ),
      ],
    };
    expect(lowered(kinds, 'anthropic')).toEqual({
      type: 'object',
      properties: {
        kind: { enum: ['file', 'url'] },
        path: { type: 'string' },
        url: { type: 'string' },
        depth: { type: 'integer' },
      },
      required: ['kind'],
      description:
        "Exactly one of these forms must match: 'kind' is \"file\", has 'path'; or 'kind' is \"url\", has 'url', may have 'depth'.",
    });
  });

  it('F14 a schema that holds itself ends, written out once or as a reference', () => {
    const tree = object(
      { root: { $ref: '#/$defs/Node' } },
      { $defs: { Node: object({ next: { $ref: '#/$defs/Node' }, name: { type: 'string' } }) } },
    );
    expect(lowered(tree, 'anthropic')).toEqual(
      object({
        root: object({
          next: { type: 'object', description: "Has the same form as 'Node'." },
          name: { type: 'string' },
        }),
      }),
    );
    expect(lowered(tree, 'openai')).toEqual(tree);
    const circle = object(
      { a: { $ref: '#/$defs/A' } },
      { $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } } },
    );
    for (const target of ['openai', 'openai-strict', 'gemini', 'plain'] as const)
      expect(lowered(circle, target).type).toBe('object');
    const held: SchemaObject = object({});
    held.properties = { a: held, b: { type: 'array', items: held } };
    expect(lowerSchema(held, 'gemini').changes.at(-1)).toBeDefined();
  });

  it('F14 a schema that explodes when its references are written out is cut, and says so', () => {
    const $defs: Record<string, JsonSchema> = { d0: { type: 'string' } };
    for (let i = 1; i <= 40; i++) {
      const $ref = `#/$defs/d${i - 1}`;
      $defs[`d${i}`] = object({ a: { $ref }, b: { $ref } });
    }
    const given = object({ top: { $ref: '#/$defs/d40' } }, { $defs });
    expect(cpuOf(() => lowerSchema(given, 'gemini'))).toBeLessThan(3000);
    const { schema, changes } = lowerSchema(given, 'gemini');
    expect(JSON.stringify(schema).length).toBeLessThan(2_000_000);
    expect(changes.some(({ why }) => why.includes('too large'))).toBe(true);
  });

  it('takes time that grows with the schema', () => {
    const wide = (count: number) =>
      object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: 'string', format: 'uri' }])));
    const [few, many] = [wide(1000), wide(8000)];
    // Eight times as much may take eight times as long, and four times that on a busy machine; in the square it would be 64.
    const { ratio } = growthOf(
      () => lowerSchema(few, 'gemini'),
      () => lowerSchema(many, 'gemini'),
      { bar: 32, floor: 1 },
    );
    expect(ratio).toBeLessThan(32);
  });

  it('strict mode wants every property, and what is left out is null', () => {
    const schema = object(
      {
        a: { type: 'string' },
        b: { type: 'integer' },
        c: { enum: ['x'] },
        d: object({}, { additionalProperties: false }),
      },
      { required: ['a'] },
    );
    expect(lowered(schema, 'openai-strict')).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: ['integer', 'null'] },
        c: { type: ['string', 'null'], enum: ['x', null] },
        d: { anyOf: [{ type: 'object', properties: {}, required: [], additionalProperties: false }, { type: 'null' }] },
      },
      required: ['a', 'b', 'c', 'd'],
      additionalProperties: false,
    });
  });

  it('says where strict mode can not say all that the schema takes', () => {
    expect(
      lowerSchema(object({ map: { type: 'object', additionalProperties: { type: 'number' } } }), 'openai-strict')
        .covers,
    ).toBe(false);
    expect(lowerSchema(object({ any: {} }), 'anthropic-strict').covers).toBe(false);
    expect(lowerSchema(object({ a: { type: 'string' } }), 'openai-strict').covers).toBe(true);
  });

  it('does not undo a null that the original lets stand', () => {
    const schema = object({
      may: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      not: { type: 'string' },
      either: {
        anyOf: [object({ a: { type: 'string' } }, { required: ['a'] }), object({ a: { type: ['string', 'null'] } })],
      },
    });
    const { lift } = lowerSchema(schema, 'openai-strict');
    expect(lift({ may: null, not: null, either: { a: null } })).toEqual({ may: null, either: { a: null } });
  });

  it('expresses null once for a union whose forms allow it too, and lowering twice changes nothing', () => {
    const schema = object({ a: { title: 'A', anyOf: [{ type: ['string', 'null'], enum: ['x', null] }] } });
    const once = lowered(schema, 'gemini');
    expect(once.properties).toEqual({ a: { anyOf: [{ title: 'A', type: 'string', enum: ['x'] }, { type: 'null' }] } });
    expect(lowerSchema(once, 'gemini')).toMatchObject({ schema: once, changes: [] });
  });

  it('F9 keys of the prototype are keys like others', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"toString":{"type":"number"}}}',
    );
    const { schema: after, lift } = lowerSchema(schema, 'openai-strict');
    expect(Object.keys(after.properties ?? {})).toEqual(['__proto__', 'toString']);
    expect(JSON.stringify(lift(JSON.parse('{"__proto__":null,"toString":null}')))).toBe('{}');
  });

  it('S3.6 the root is an object always', () => {
    for (const root of [
      true,
      false,
      {},
      { type: 'array' },
      { type: ['object', 'null'] },
      { enum: [1] },
    ] as JsonSchema[])
      for (const target of ['openai', 'openai-strict', 'anthropic', 'gemini', 'gemini-openapi', 'plain'] as const)
        expect(lowered(root, target).type).toBe('object');
  });
});
