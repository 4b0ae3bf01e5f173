import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaOf } from '../schema.ts';
import type { JsonSchema } from '../types.ts';
import { coerce } from './coerce.ts';

/** Checks, and where that fails coerces and checks again: `refused`, or the value with the kinds of its repairs. */
function coerced(source: unknown, value: unknown): { input: unknown; kinds: string[] } | 'refused' {
  const schema = schemaOf(source);
  const first = schema.check(value);
  if (first.ok) return { input: value, kinds: [] };
  const out = coerce(value, schema.json ?? true, schema.kind === 'zod' ? { failing: first.problems } : {});
  if (out.problems.length > 0 || !schema.check(out.value).ok) return 'refused';
  expect(out.repairs.every(({ certainty }) => certainty === 'inferred')).toBe(true);
  return { input: out.value, kinds: out.repairs.map(({ kind }) => kind) };
}

type Row = readonly [rule: string, schema: JsonSchema, given: unknown, gets: unknown];
type Refused = readonly [rule: string, schema: JsonSchema, given: unknown];

const number: JsonSchema = { type: 'number' };
const integer: JsonSchema = { type: 'integer' };
const boolean: JsonSchema = { type: 'boolean' };
const string: JsonSchema = { type: 'string' };
const strings: JsonSchema = { type: 'array', items: string };
const integers: JsonSchema = { type: 'array', items: integer };
const closed = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const pair = closed({ k: integer }, ['k']);
const pairs: JsonSchema = { type: 'array', items: pair };
const colour: JsonSchema = { enum: ['red', 'in_progress', 'No-Op'] };

/** What the rules' table accepts, row by row, with what comes of it. */
const accepted: readonly Row[] = [
  ['number', number, '5', 5],
  ['number', number, ' 5 ', 5],
  ['number', number, '5.0', 5],
  ['number', number, '-2.5', -2.5],
  ['number', number, '1e3', 1000],
  ['number', number, '007', 7],
  ['integer', integer, '5.0', 5],
  ['integer', integer, '1,234', 1234],
  ['integer', integer, '-1,234,567', -1234567],
  ['boolean', boolean, 'true', true],
  ['boolean', boolean, 'FALSE', false],
  ['boolean', boolean, 'Yes', true],
  ['boolean', boolean, 'no', false],
  ['boolean', boolean, 1, true],
  ['boolean', boolean, 0, false],
  ['string', string, 5, '5'],
  ['string', string, 2.5, '2.5'],
  ['string', string, true, 'true'],
  ['string', string, ['a'], 'a'],
  ['string or null', { type: ['string', 'null'] }, 5, '5'],
  ['string or null', { anyOf: [string, { type: 'null' }] }, false, 'false'],
  ['null', { type: 'null' }, 'null', null],
  ['null', { type: ['integer', 'null'] }, 'None', null],
  ['null', { anyOf: [pair, { type: 'null' }] }, 'null', null],
  ['array', strings, '["a", "b"]', ['a', 'b']],
  ['array', strings, "['a', 'b']", ['a', 'b']],
  ['array', strings, "('a', 'b')", ['a', 'b']],
  ['array', strings, '<item>a</item><item>b</item>', ['a', 'b']],
  ['array', strings, '<files><file>a</file><file>b</file></files>', ['a', 'b']],
  ['array', strings, '[]', []],
  ['array', strings, 'a', ['a']],
  ['array', integers, 5, [5]],
  ['array', integers, '5', [5]],
  ['array', integers, '[1, "2", "3.0"]', [1, 2, 3]],
  ['array', pairs, { k: 1 }, [{ k: 1 }]],
  ['array', pairs, '{"k": 1}', [{ k: 1 }]],
  ['array', pairs, "[{'k': '1'}]", [{ k: 1 }]],
  ['array', pairs, '<item><k>1</k></item><item><k>2</k></item>', [{ k: 1 }, { k: 2 }]],
  ['object', pair, '{"k": 1}', { k: 1 }],
  ['object', pair, "{'k': '1'}", { k: 1 }],
  ['object', pair, [{ k: 1 }], { k: 1 }],
  ['enum', colour, 'Red', 'red'],
  ['enum', colour, ' In Progress ', 'in_progress'],
  ['enum', colour, 'IN-PROGRESS', 'in_progress'],
  ['enum', colour, 'noop', 'No-Op'],
  ['enum', { enum: [1, 2] }, '2', 2],
  ['const', { const: 'fixed' }, 'FIXED', 'fixed'],
  ['a key', closed({ user_name: string }), { userName: 'a' }, { user_name: 'a' }],
  ['a key', closed({ userName: string }), { 'USER-NAME': 'a' }, { userName: 'a' }],
  ['optional', closed({ a: string, b: integer }, ['a']), { a: 'x', b: null }, { a: 'x' }],
  ['no such key', closed({ a: string }), { a: 'x', other: 1 }, { a: 'x' }],
];

/** What looks like those and is refused. */
const refused: readonly Refused[] = [
  ['number: not hex', number, '0x10'],
  ['number: groups are for integers', number, '1,234'],
  ['number: not out of words', number, 'five'],
  ['number: not out of words', number, '5 apples'],
  ['number: two', number, '1 2'],
  ['number: nothing', number, ''],
  ['number: not a number', number, 'NaN'],
  ['number: a boolean is none', number, true],
  ['integer: never rounded', integer, 5.3],
  ['integer: never rounded', integer, '5.3'],
  ['integer: not out of words', integer, '12 years'],
  ['integer: groups of three only', integer, '12,34'],
  ['integer: not past what a number keeps', integer, '9007199254740993'],
  ['boolean: another number', boolean, 2],
  ['boolean: another word', boolean, 'maybe'],
  ['boolean: nothing', boolean, ''],
  ['string: two of them', string, ['a', 'b']],
  ['string: none', string, []],
  ['string: a list of something else', string, [5]],
  ['string: an object', string, { a: 1 }],
  ['string: null', string, null],
  ['string, but a boolean is allowed beside', { type: ['string', 'boolean'] }, 5],
  ['string, but a list is allowed beside', { anyOf: [string, strings] }, 5],
  ['null: other words', { type: ['integer', 'null'] }, 'nothing'],
  ['null: nothing', { type: ['integer', 'null'] }, ''],
  ['array: text with a comma', strings, 'a, b'],
  ['array: text with a line break', strings, 'a\nb'],
  ['array: text with brackets', strings, 'a[0]'],
  ['array: text with braces', strings, 'a{b}'],
  ['array: text of an open list', strings, '["a", "b'],
  ['array: empty text', strings, ''],
  ['array: null-like text', strings, 'null'],
  ['array: null-like text', strings, 'None'],
  ['array: null', strings, null],
  ['array: {}', pairs, {}],
  ['array: {} of anything', { type: 'array' }, {}],
  ['array: a bad item is not dropped', integers, [1, 'two', 3]],
  ['array: a bad item in text is not dropped', integers, '[1, "two"]'],
  ['object: two of them', pair, [{ k: 1 }, { k: 2 }]],
  ['object: none', pair, []],
  ['object: other text', pair, 'k'],
  ['object: cut text', pair, '{"k": 1'],
  ['enum: another', colour, 'purple'],
  ['enum: a sign is not folded', { enum: ['-1', '2'] }, '1'],
  ['enum: a sign is not folded', { enum: [-1, 2] }, '1'],
  ['enum: separators between digits are not folded', { enum: ['1-0', '2'] }, '10'],
  ['enum: two that fit', { enum: ['a-b', 'a_b'] }, 'A B'],
  ['const: another', { const: 'fixed' }, 'free'],
  ['a key: two properties that fit', closed({ userName: string, user_name: string }), { USERNAME: 'a' }],
  ['a key: given twice', closed({ user_name: string }), { user_name: 'a', userName: 'b' }],
  ['required: null is not removed', closed({ b: integer }, ['b']), { b: null }],
  ['no such key: within a third of its length', closed({ pattern: string }), { pattn: 'x' }],
  ['no such key: one holding the other', closed({ path: string }), { file_path: 'x' }],
];

/** Where a schema may stand: the same row must come out the same at each place. */
const places: Readonly<
  Record<string, (schema: JsonSchema) => { schema: JsonSchema; wrap: (value: unknown) => unknown }>
> = {
  'a property': (schema) => ({ schema: closed({ x: schema }, ['x']), wrap: (x) => ({ x }) }),
  'a list': (schema) => ({
    schema: closed({ list: { type: 'array', items: schema } }, ['list']),
    wrap: (x) => ({ list: [x] }),
  }),
  'a tuple': (schema) => ({
    schema: closed({ tuple: { type: 'array', prefixItems: [string, schema], items: false } }, ['tuple']),
    wrap: (x) => ({ tuple: ['first', x] }),
  }),
  'behind $ref': (schema) => ({
    schema: {
      type: 'object',
      properties: { x: { $ref: '#/$defs/outer' } },
      required: ['x'],
      $defs: { outer: { $ref: '#/$defs/inner' }, inner: schema },
    },
    wrap: (x) => ({ x }),
  }),
  'in allOf': (schema) => ({
    schema: { type: 'object', properties: { x: { allOf: [schema, { description: 'the same' }] } }, required: ['x'] },
    wrap: (x) => ({ x }),
  }),
  'in the branch a discriminator names': (schema) => ({
    schema: closed({
      one: {
        oneOf: [
          closed({ kind: { const: 'a' }, x: schema }, ['kind', 'x']),
          closed({ kind: { const: 'b' }, y: integer }, ['kind', 'y']),
        ],
      },
    }),
    wrap: (x) => ({ one: { kind: 'a', x } }),
  }),
};

describe.each(Object.entries(places))('coerce, %s', (_, place) => {
  it.each(accepted)('S2.2 Coercing %s: %j takes %j as %j', (_rule, schema, given, gets) => {
    const at = place(schema);
    const out = coerced(at.schema, at.wrap(given));
    expect(out).toMatchObject({ input: at.wrap(gets) });
    expect(out !== 'refused' && out.kinds.length).toBeGreaterThan(0);
  });

  it.each(refused)('S2.2 Coercing %s: %j refuses %j', (_rule, schema, given) => {
    const at = place(schema);
    expect(coerced(at.schema, at.wrap(given))).toBe('refused');
  });
});

/** Values that pass as they are, though a coercion lies near. */
const untouched: readonly Refused[] = [
  ['a string stays', string, '5'],
  ['a string stays', string, '{"a": 1}'],
  ['a string stays', { type: ['string', 'number'] }, '5'],
  ['a string stays', { anyOf: [string, strings] }, '["a"]'],
  ['a string stays', { type: ['string', 'null'] }, 'null'],
  ['a string stays', {}, '5'],
  ['5.0 is an integer', integer, JSON.parse('5.0')],
  ['null is kept where it is allowed', closed({ a: { type: ['integer', 'null'] } }), { a: null }],
  ['a member stays', { enum: ['Red', 'red'] }, 'red'],
  ['declared keys stay', closed({ userName: string, user_name: string }), { userName: 'a', user_name: 'b' }],
];

it.each(untouched)('S2.2 Coercing %s: %j keeps %j', (_rule, schema, given) => {
  expect(coerced(schema, given)).toEqual({ input: given, kinds: [] });
});

/** Zod's wrappers, each around the schema of a row. */
const wrappers: Readonly<Record<string, (inner: z.ZodType) => z.ZodType>> = {
  optional: (inner) => inner.optional(),
  nullable: (inner) => inner.nullable(),
  nullish: (inner) => inner.nullish(),
  default: (inner) => inner.default(null as never),
  prefault: (inner) => inner.prefault(null as never),
  readonly: (inner) => inner.readonly(),
  refine: (inner) => inner.refine(() => true),
  transform: (inner) => inner.transform((value) => ({ made: value })),
  pipe: (inner) => inner.pipe(z.unknown()),
  lazy: (inner) => z.lazy(() => inner),
  'optional and refine': (inner) => inner.refine(() => true).optional(),
  'catch-free default and nullable': (inner) => inner.nullable().default(null),
};

const zodRows: readonly (readonly [z.ZodType, unknown, unknown])[] = [
  [z.number(), '5', 5],
  [z.int(), '1,234', 1234],
  [z.boolean(), 'yes', true],
  [z.boolean(), 0, false],
  [z.string(), 5, '5'],
  [z.array(z.string()), '["a"]', ['a']],
  [z.array(z.string()), 'a', ['a']],
  [z.object({ k: z.number() }), '{"k": "1"}', { k: 1 }],
  [z.enum(['red', 'dark_red']), 'Dark Red', 'dark_red'],
  [z.literal('fixed'), 'FIXED', 'fixed'],
];

const zodRefused: readonly (readonly [z.ZodType, unknown])[] = [
  [z.number(), '0x10'],
  [z.int(), '5.3'],
  [z.boolean(), 'maybe'],
  [z.string(), ['a', 'b']],
  [z.array(z.string()), 'a, b'],
  [z.object({ k: z.number() }), '{"k": "one"}'],
  [z.enum(['red', 'blue']), 'purple'],
];

describe.each(Object.entries(wrappers))('coerce through Zod: %s', (_, around) => {
  it.each(zodRows)('S2.2 row %# takes what its schema takes', (inner, given, gets) => {
    const schema = z.object({ x: around(inner) });
    expect(coerced(schema, { x: given })).toMatchObject({ input: { x: gets } });
  });

  it.each(zodRefused)('S2.2 refused row %# stays refused', (inner, given) => {
    expect(coerced(z.object({ x: around(inner) }), { x: given })).toBe('refused');
  });
});
