import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../types.ts';
import { coerce } from './coerce.ts';

const integer: JsonSchema = { type: 'integer' };
const string: JsonSchema = { type: 'string' };
const closed = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const one = (schema: JsonSchema, value: unknown) => coerce({ x: value }, { type: 'object', properties: { x: schema } });
const taken = (schema: JsonSchema, value: unknown) => (one(schema, value).value as { x: unknown }).x;

describe('coerceUnion', () => {
  const shapes: JsonSchema[] = [
    closed({ kind: { const: 'circle' }, r: integer }),
    closed({ kind: { enum: ['square', 'tall_square'] }, side: integer }),
  ];
  it.each<[string, JsonSchema]>([
    ['oneOf', { oneOf: shapes }],
    ['anyOf', { anyOf: shapes }],
    ['with null', { anyOf: [{ oneOf: shapes }, { type: 'null' }] }],
    ['with a discriminator said', { oneOf: shapes, discriminator: { propertyName: 'kind' } }],
    ['beside other words', { type: 'object', description: 'A shape', oneOf: shapes }],
    ['in allOf', { allOf: [{ type: 'object' }, { oneOf: shapes }] }],
  ])('goes by the discriminator: %s', (_, schema) => {
    expect(taken(schema, { kind: 'circle', r: '5' })).toEqual({ kind: 'circle', r: 5 });
    expect(taken(schema, { kind: 'Tall Square', side: '5' })).toEqual({ kind: 'tall_square', side: 5 });
    expect(taken(schema, '{"kind": "circle", "r": 5}')).toEqual({ kind: 'circle', r: 5 });
  });

  it('does not leave the branch that is named, though another would fit', () => {
    const wide: JsonSchema = {
      oneOf: [closed({ kind: { const: 'a' }, n: integer }), closed({ kind: { const: 'b' }, n: string })],
    };
    expect(taken(wide, { kind: 'a', n: 'x' })).toEqual({ kind: 'a', n: 'x' });
    expect(taken(wide, { kind: 'b', n: 5 })).toEqual({ kind: 'b', n: '5' });
  });

  it('tells two readings apart from one: a guess is shown, not taken', () => {
    const { value, problems } = one({ anyOf: [integer, { type: 'array', items: integer }] }, '5');
    expect(value).toEqual({ x: '5' });
    expect(problems).toMatchObject([{ path: ['x'], code: 'union', received: '5', suggestion: 'Send 5 or [5]' }]);
  });

  it('takes several types as a union', () => {
    const several: JsonSchema = { type: ['integer', 'boolean', 'null'] };
    expect(taken(several, '12')).toBe(12);
    expect(taken(several, 'yes')).toBe(true);
    expect(taken(several, 'None')).toBe(null);
    expect(taken(several, '1')).toBe('1');
  });

  it("takes OpenAPI's nullable as null beside", () => {
    expect(taken({ type: 'integer', nullable: true }, 'null')).toBe(null);
    expect(taken({ type: 'integer', nullable: true }, '5')).toBe(5);
  });

  it('spells the keys of a value that passes in one form alone', () => {
    const loose: JsonSchema = {
      anyOf: [{ type: 'object', properties: { user_name: string }, required: ['id'] }, integer],
    };
    expect(taken(loose, { id: 1, userName: 'x' })).toEqual({ id: 1, user_name: 'x' });
  });
});
