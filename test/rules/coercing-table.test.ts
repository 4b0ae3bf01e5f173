/** The table of "Coercing", row by row, with what looks alike and is refused. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, integer, mendWith, named, open, string, strings, told } from './mend-with.ts';

const number: JsonSchema = { type: 'number' };
const nullable = (type: string): JsonSchema => ({ type: [type as 'string', 'null'] });
const given = (schema: JsonSchema, v: unknown) =>
  mendWith(closed({ v: schema, other: string }, ['v']), { v, other: 'x' });

type Row = readonly [string, JsonSchema, unknown, unknown];
const rows: readonly Row[] = [
  ...(['5', ' 5 ', '5.0', '1e3', '007', '-2.5', '+4', '.5'] as const).map(
    (text): Row => ['number', number, text, Number(text)],
  ),
  ['integer', integer, '1,234', 1234],
  ['integer', integer, '-1,234,567', -1234567],
  ['integer', integer, '5.0', 5],
  ['integer', integer, ' 42 ', 42],
  ...(['true', 'True', 'TRUE', 'yes', 'YES', '1', 1] as const).map((v): Row => ['boolean', boolean, v, true]),
  ...(['false', 'False', 'no', 'No', '0', 0] as const).map((v): Row => ['boolean', boolean, v, false]),
  ['string', string, 5, '5'],
  ['string', string, true, 'true'],
  ['string', string, ['a'], 'a'],
  ['string or null', nullable('string'), 5, '5'],
  ['null', nullable('integer'), 'null', null],
  ['null', nullable('integer'), 'None', null],
  ['array', strings, '["a", "b"]', ['a', 'b']],
  ['array', strings, "['a', 'b']", ['a', 'b']],
  ['array', strings, 'a', ['a']],
  ['array', { type: 'array', items: integer }, '5', [5]],
  ['array', { type: 'array', items: { type: 'object' } }, '{"a": 1}', [{ a: 1 }]],
  ['object', { type: 'object' }, '{"a": 1}', { a: 1 }],
  ['object', { type: 'object' }, "{'a': True}", { a: true }],
  ['object', { type: 'object' }, [{ a: 1 }], { a: 1 }],
  ['enum', { enum: ['top_left', 'right'] }, 'Top Left', 'top_left'],
  ['enum', { enum: ['top_left', 'right'] }, 'RIGHT', 'right'],
  ['enum', { enum: [1, 2] }, '1', 1],
  ['const', { const: 'on-call' }, 'ON CALL', 'on-call'],
  ['union', { anyOf: [integer, { type: 'object' }] }, '5', 5],
  ['union', { oneOf: [boolean, { type: 'array', items: integer }] }, 'yes', true],
];

const refused: readonly (readonly [string, JsonSchema, unknown])[] = [
  ...['0x10', '12 years', '1,234', '1.2.3', 'five', '', ' ', '5%', '$5', '1_000', '١', 'NaN', 'Infinity', '--5'].map(
    (v) => ['number', number, v] as const,
  ),
  ...[5.3, '5.3', '12 years', '1,23', '1,2345', '0,123', '1.234,5', '9007199254740993', true, [5, 6]].map(
    (v) => ['integer', integer, v] as const,
  ),
  ...['y', 'n', 'on', 'off', 2, -1, 'truee', '', null, 'maybe', 'enabled', '1.5'].map(
    (v) => ['boolean', boolean, v] as const,
  ),
  ...[['a', 'b'], [], [5], { a: 1 }, [['a']], null].map((v) => ['string', string, v] as const),
  ...['nil', 'NULL', '', 'undefined', 'N/A', 'none'].map((v) => ['null', nullable('integer'), v] as const),
  ...[
    'a, b',
    'a;b',
    'a\nb',
    '',
    'none',
    'N/A',
    '-',
    false,
    0,
    {},
    '[a',
    'a]',
    '{a}',
    'un ve süt',
    'phở và bún',
    'दूध और चाय',
    'chleb oraz mleko',
    'a፣b',
  ].map((v) => ['array', strings, v] as const),
  ...['a: 1', '[{"a": 1}, {"a": 2}]', [{ a: 1 }, { a: 2 }], 'x', 5, []].map(
    (v) => ['object', { type: 'object' }, v] as const,
  ),
  ['enum', { enum: ['topLeft', 'top_left'] }, 'TOPLEFT'],
  ['enum', { enum: ['left', 'right'] }, 'lef'],
  ['enum', { enum: ['-1', '2'] }, '1'],
  ['enum', { enum: ['1.0', '2'] }, '10'],
  ['const', { const: 'a' }, 'b'],
  ['union', { anyOf: [integer, { type: 'array', items: integer }] }, '"x"'],
  ['union', { anyOf: [integer, boolean] }, '1'],
];

describe('guard: Coercing: every row of the table', () => {
  it.each(rows)('guard: Coercing: %s (%j) takes %j as %j', (_, schema, v, expected) => {
    const outcome = given(schema, v);
    expect(outcome).toMatchObject({ status: 'mended', input: { v: expected, other: 'x' } });
    expect(outcome.repairs.map(({ certainty }) => certainty)).toContain('inferred');
    expect(mendWith(closed({ v: schema }), { v }, { effect: 'destructive' }).status).toBe('invalid');
  });
});

describe('guard: Coercing: what resembles a row', () => {
  it.each(refused)('guard: Coercing: %s (%j) refuses %j', (_, schema, v) => {
    expect(given(schema, v)).toMatchObject({ status: 'invalid', errorType: 'validation' });
  });
  it.each<[string, JsonSchema, unknown]>([
    ['a field that may be a string', { type: ['string', 'integer'] }, '5'],
    ['a field that may be a string, as a union', { anyOf: [string, boolean] }, 'true'],
    ['null where it is allowed', nullable('string'), null],
    ['the text null where a string is allowed', nullable('string'), 'null'],
    ['a field of any type', { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] }, '5'],
    ['a JSON text for a string', string, '{"a": 1}'],
    ['5.0 for an integer', integer, 5],
  ])('guard: Coercing: %s stays unchanged', (_, schema, v) => {
    expect(given(schema, v)).toMatchObject({ status: 'ok', input: { v } });
  });
  it('guard: Coercing: null is removed if the field is optional, and a problem otherwise', () => {
    expect(told(mendWith(closed({ a: string, b: integer }, ['a']), { a: 'x', b: null }))).toEqual({
      status: 'mended',
      input: { a: 'x' },
      repairs: ['null inferred'],
    });
    expect(mendWith(closed({ a: string }, ['a']), { a: null }).status).toBe('invalid');
  });
});

describe('guard: Coercing: the complete value', () => {
  const schema = closed({ a: string, b: integer }, ['a']);
  const args = { a: 'x', b: 2 };
  it.each<[string, unknown]>([
    ...['arguments', 'parameters', 'input', 'args'].map((key): [string, unknown] => [key, { [key]: args }]),
    ['name and parameters', { name: named, parameters: args }],
    ['a list of one', [args]],
    ['as a string', JSON.stringify(JSON.stringify(args))],
    ['a wrapper that holds text', { arguments: JSON.stringify(args) }],
  ])('guard: Coercing: %s is unwrapped', (_, value) => {
    expect(mendWith(schema, value)).toMatchObject({ status: 'mended', input: args });
  });
  it.each<[string, unknown]>([
    ['the name of another tool', { name: 'other', parameters: args }],
    ['two objects', [args, args]],
    ['two wrappers', { arguments: args, parameters: { a: 'y' } }],
    ['another key', { payload: args }],
    ['a list of one text', ['x']],
  ])('guard: Coercing: %s is not', (_, value) => expect(mendWith(schema, value).status).toBe('invalid'));
  it('guard: Coercing: a declared key of that name is not a wrapper', () => {
    const own = closed({ input: { type: 'object' }, a: string });
    expect(mendWith(own, { input: { a: 'x' } })).toMatchObject({ status: 'ok' });
    expect(mendWith(open({ args: strings }), { args: ['a'] })).toMatchObject({ status: 'ok' });
  });
});

describe('Coercing: a long list of Zod', () => {
  it.each([51, 1000, 4000])('Coercing: %d items with numbers in quotes', (size) => {
    const items = Array.from({ length: size }, (_, at) => ({ a: String(at), e: 'ONE' }));
    const schema = z.object({ l: z.array(z.object({ a: z.number(), e: z.enum(['one', 'two']) })) });
    const outcome = mendWith(schema, { l: items });
    expect(outcome.status).toBe('mended');
    expect((outcome.input as { l: unknown[] }).l.at(-1)).toEqual({ a: size - 1, e: 'one' });
  });
  it('guard: Coercing: one bad item is reported, and the call is refused', () => {
    const items = Array.from({ length: 200 }, (_, at) => ({ a: at === 150 ? 'many' : String(at) }));
    const outcome = mendWith(z.object({ l: z.array(z.object({ a: z.number() })) }), { l: items });
    expect(outcome.problems).toMatchObject([{ path: ['l', 150, 'a'], received: 'many' }]);
  });
});
