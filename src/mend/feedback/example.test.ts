import Ajv from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../schema/types.ts';
import { describe as put } from '../../schema/validate/messages.ts';
import { exampleOf } from './example.ts';
import { faultsOf } from './wording.ts';

const ajv = new Ajv.default({ strict: false, validateFormats: false });

describe('exampleOf', () => {
  const schemas: [string, JsonSchema][] = [
    ['a plain string', { type: 'string', minLength: 20, maxLength: 30 }],
    ['a short string', { type: 'string', maxLength: 2 }],
    ['an integer in a range', { type: 'integer', minimum: 5, maximum: 9 }],
    ['a number between', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ['a multiple', { type: 'integer', minimum: 11, multipleOf: 5 }],
    ['a negative', { type: 'number', maximum: -3 }],
    ['an enum', { enum: [null, 'a'] }],
    ['a const', { const: { a: 1 } }],
    ['a nullable', { type: ['null', 'boolean'] }],
    ['a list', { type: 'array', items: { type: 'integer' }, minItems: 2 }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 }],
    [
      'a ref',
      { $ref: '#/$defs/x', $defs: { x: { type: 'object', properties: { y: { type: 'null' } }, required: ['y'] } } },
    ],
    ['a union', { anyOf: [{ type: 'null' }, { type: 'object', required: ['k'], properties: { k: { const: 'v' } } }] }],
    ['allOf', { allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'integer' } } }] }],
    [
      'a recursive tree',
      {
        type: 'object',
        required: ['v'],
        properties: { v: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } },
      },
    ],
  ];
  it.each(schemas)('C1 makes a valid value of %s', (_, schema) => {
    expect(ajv.validate(schema, exampleOf(schema)), JSON.stringify(exampleOf(schema))).toBe(true);
  });

  it('C1 a schema that refers to itself without end gives an end', () => {
    const endless: JsonSchema = { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } };
    expect(JSON.stringify(exampleOf(endless)).length).toBeLessThan(500);
    expect(exampleOf({ $ref: '#' })).toBe('<value>');
    const wide = Object.fromEntries([...'abcdefgh'].map((key) => [key, { $ref: '#' }]));
    expect(
      JSON.stringify(exampleOf({ type: 'object', required: Object.keys(wide), properties: wide })).length,
    ).toBeLessThan(50_000);
  });

  it('C1 takes examples and defaults first', () => {
    expect(exampleOf({ type: 'string', examples: ['src/a.ts'], default: 'b' })).toBe('src/a.ts');
    expect(exampleOf({ type: 'string', default: 'b' })).toBe('b');
  });

  it('C1 keeps what was right, leaves out what is not known and replaces what is wrong', () => {
    const schema: JsonSchema = {
      type: 'object',
      additionalProperties: false,
      required: ['shape'],
      properties: {
        shape: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'circle' }, r: { type: 'number' } },
              required: ['kind', 'r'],
            },
            { type: 'object', properties: { kind: { const: 'box' }, w: { type: 'number' } }, required: ['kind', 'w'] },
          ],
        },
        tags: { type: 'array', items: { type: 'string' } },
      },
    };
    const sent = { shape: { kind: 'box' }, tags: ['good', 5], colour: 'red' };
    const faults = faultsOf([
      put({ path: ['shape', 'w'], code: 'required', want: {}, received: undefined }),
      put({ path: ['tags', 1], code: 'type', want: ['string'], received: 5 }),
      put({ path: ['colour'], code: 'unknown', want: undefined, received: 'red' }),
    ]);
    const example = exampleOf(schema, sent, faults);
    expect(example).toEqual({ shape: { kind: 'box', w: 1 }, tags: ['good', '5'] });
    expect(ajv.validate(schema, example)).toBe(true);
  });
});
