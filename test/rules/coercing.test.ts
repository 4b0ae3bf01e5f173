import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JsonSchema } from '../../src/schema/types.ts';
import { boolean, closed, integer, mendWith, named, open, string, strings, told } from './mend-with.ts';

/** The rows of the table, one by one and at every place, are tested in src/schema/coerce/coerce.test.ts; here is the rest. */

const taken = (schema: unknown, value: unknown, input: unknown, repairs: readonly string[]) =>
  expect(told(mendWith(schema, value))).toEqual({ status: 'mended', input, repairs });
const refused = (schema: unknown, value: unknown) => expect(mendWith(schema, value).status).toBe('invalid');

describe('Coercing: string (or null), and nothing else: a number or boolean, its literal as written', () => {
  it.each([
    ['1.0', '1.0'],
    ['1.50', '1.50'],
    ['1e3', '1e3'],
    ['007', '007'],
    ['0x1F', '0x1F'],
    ['-0', '-0'],
    ['true', 'true'],
    ['True', 'True'],
    ['12345678901234567890', '12345678901234567890'],
  ])('Coercing: %s as text', (written, text) => {
    expect(mendWith(open({ a: string }), `{"a": ${written}}`)).toMatchObject({ input: { a: text } });
    expect(mendWith(open({ l: strings }), `{"l": ["x", ${written}]}`)).toMatchObject({ input: { l: ['x', text] } });
    const nullable = open({ a: { type: ['string', 'null'] } });
    expect(mendWith(nullable, `{"a": ${written},}`)).toMatchObject({ input: { a: text } });
  });
});

describe('Coercing: array', () => {
  it('Coercing: text with a comma is invalid, both readings suggested', () => {
    const [problem] = mendWith(open({ files: strings }), { files: 'a.ts, b.ts' }).problems;
    expect(problem).toMatchObject({ path: ['files'], code: 'type', received: 'a.ts, b.ts' });
    expect(problem?.suggestion).toContain('["a.ts, b.ts"]');
    expect(problem?.suggestion).toContain('["a.ts","b.ts"]');
  });
});

describe('Coercing: a list of lists', () => {
  const table = (more = {}) => open({ rows: { type: 'array', items: { type: 'array', items: integer }, ...more } });
  it.each([[[1, 2]], [['1', '2']]])('Coercing: %j is one row or several: a guess, so invalid', (rows) => {
    const [problem] = mendWith(table(), { rows }).problems;
    expect(problem).toMatchObject({ path: ['rows'], code: 'ambiguous', received: rows });
    expect(problem?.suggestion).toContain(' or ');
  });

  it.each<[unknown, unknown]>([
    [
      [[1, 2], 3],
      [[1, 2], [3]],
    ],
    [[1], [[1]]],
    [
      ['[1, 2]', '[3]'],
      [[1, 2], [3]],
    ],
    ['[[1, 2], [3]]', [[1, 2], [3]]],
  ])('Coercing: %j has one reading', (rows, gets) => {
    expect(mendWith(table(), { rows })).toMatchObject({ status: 'mended', input: { rows: gets } });
  });
});

describe('Coercing: no such key (forbidden, or stripped by Zod)', () => {
  const schemas = {
    forbidden: closed({ path: string, limit: integer }),
    'stripped by Zod': z.object({ path: z.string().optional(), limit: z.number().optional() }),
    'strict in Zod': z.strictObject({ path: z.string().optional(), limit: z.number().optional() }),
  };
  it.each(Object.entries(schemas))('Coercing: %s: spelling first', (_, schema) => {
    taken(schema, { PATH: 'x' }, { path: 'x' }, ['key inferred']);
  });
  it.each(Object.entries(schemas))('Coercing: %s: else dropped and told to the model in the note', (_, schema) => {
    const outcome = mendWith(schema, { path: 'x', explanation: 'because' });
    expect(told(outcome)).toEqual({ status: 'mended', input: { path: 'x' }, repairs: ['dropped inferred'] });
    expect('note' in outcome && outcome.note).toContain("'explanation'");
  });
  it.each(Object.entries(schemas))(
    'Coercing: %s: a key that resembles an unused property is a problem',
    (_, schema) => {
      for (const key of ['pth', 'file_path', 'limits']) {
        const outcome = mendWith(schema, { [key]: 'x' });
        expect(told(outcome)).toMatchObject({ problems: [`unknown ${key}`] });
        expect(outcome.problems[0]?.message).toContain(`did you mean '${key === 'limits' ? 'limit' : 'path'}'`);
      }
    },
  );
  it.each(Object.entries(schemas))('Coercing: %s: one that resembles a used property is dropped', (_, schema) => {
    // With another value, on a tool that writes, it may be the one that was meant: refused, unless Zod strips it.
    taken(schema, { path: 'x', limit: 1, file_path: 'x' }, { path: 'x', limit: 1 }, ['dropped inferred']);
    const outcome = mendWith(schema, { path: 'x', limit: 1, file_path: 'y' }, { effect: 'read' });
    expect(told(outcome)).toMatchObject({ input: { path: 'x', limit: 1 }, repairs: ['dropped inferred'] });
  });
  it('Coercing: an object that allows extra keys keeps them', () => {
    expect(told(mendWith(z.looseObject({ a: z.string() }), { a: 'x', b: 1 }))).toMatchObject({ status: 'ok' });
  });
});

describe('Coercing: a union', () => {
  const shapes: JsonSchema = {
    oneOf: [
      closed({ kind: { const: 'circle' }, radius: integer }, ['kind', 'radius']),
      closed({ kind: { const: 'big_square' }, side: integer }, ['kind', 'side']),
    ],
  };
  it('Coercing: the branch its discriminator names', () => {
    taken(open({ s: shapes }), { s: { kind: 'circle', radius: '5' } }, { s: { kind: 'circle', radius: 5 } }, [
      'type inferred',
    ]);
    expect(mendWith(open({ s: shapes }), { s: { kind: 'Big Square', side: '5' } })).toMatchObject({
      input: { s: { kind: 'big_square', side: 5 } },
    });
    refused(open({ s: shapes }), { s: { kind: 'circle', side: 5 } });
    refused(open({ s: shapes }), { s: { kind: 'hexagon', side: 5 } });
  });

  it("Coercing: through Zod's discriminatedUnion", () => {
    const zod = z.object({
      s: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('circle'), radius: z.number() }),
        z.object({ kind: z.literal('square'), side: z.number() }),
      ]),
    });
    taken(zod, { s: { kind: 'square', side: '5' } }, { s: { kind: 'square', side: 5 } }, ['type inferred']);
  });

  it.each<[string, JsonSchema, unknown, unknown]>([
    ['integer or boolean', { anyOf: [integer, boolean] }, 'yes', true],
    ['integer or boolean', { anyOf: [integer, boolean] }, '12', 12],
    ['integer or list', { anyOf: [integer, { type: 'array', items: integer }] }, '[1, 2]', [1, 2]],
    ['two objects', { anyOf: [closed({ a: integer }, ['a']), closed({ b: integer }, ['b'])] }, { b: '1' }, { b: 1 }],
    ['behind $ref', { $ref: '#/properties/y' }, '12', 12],
  ])('Coercing: else the only branch that passes after coercion: %s takes %j', (_, union, given, gets) => {
    const schema = open({ x: union, y: { anyOf: [integer, { type: 'null' }] } });
    expect(mendWith(schema, { x: given })).toMatchObject({ status: 'mended', input: { x: gets } });
  });

  it('Coercing: no branch passes by dropping a key', () => {
    const union: JsonSchema = { anyOf: [closed({ a: string }, ['a']), closed({ b: string }, ['b'])] };
    refused(open({ x: union }), { x: { a: 'x', zzzzzz: 'y' } });
    refused(open({ x: union }), { x: { a: 'x', b: 'y' } });
  });

  it('Coercing: branches that give equal values count as one', () => {
    const union: JsonSchema = { anyOf: [integer, { type: 'number' }, { type: 'integer', minimum: 0 }] };
    taken(open({ x: union }), { x: '5' }, { x: 5 }, ['type inferred']);
  });

  it.each<[JsonSchema, unknown]>([
    [{ anyOf: [integer, { type: 'array', items: integer }] }, '5'],
    [{ anyOf: [integer, boolean] }, '1'],
    [{ anyOf: [string, strings] }, 5],
  ])('Coercing: two that pass: a guess, so invalid: %j and %j', (union, given) => {
    const outcome = mendWith(open({ x: union }), { x: given });
    expect(told(outcome)).toMatchObject({ status: 'invalid', problems: ['union x'] });
    expect(outcome.problems[0]?.suggestion).toMatch(/^Send .* or /);
  });
});

describe('Coercing: the whole', () => {
  const schema = closed({ a: string }, ['a']);
  it.each<[string, unknown]>([
    ['arguments', { arguments: { a: 'x' } }],
    ['parameters', { parameters: { a: 'x' } }],
    ['input', { input: { a: 'x' } }],
    ['args', { args: { a: 'x' } }],
    ['a wrapper around text', { arguments: '{"a": "x"}' }],
    ["the name and parameters, where the name is this tool's", { name: named, parameters: { a: 'x' } }],
    ['a list of one object', [{ a: 'x' }]],
  ])('Coercing: %s is unwrapped', (_, value) => {
    for (const sent of [value, JSON.stringify(value)]) {
      const outcome = mendWith(schema, sent);
      expect(outcome).toMatchObject({ status: 'mended', input: { a: 'x' } });
      expect(outcome.repairs.some(({ certainty }) => certainty === 'inferred')).toBe(true);
    }
  });

  it("Coercing: a tool that has a field 'name' is unwrapped too, and its arguments are not what is dropped", () => {
    for (const fields of [closed({ name: string }, ['name']), z.object({ name: z.string() }), open({ name: string })]) {
      taken(fields, { name: named, arguments: { name: 'x' } }, { name: 'x' }, ['wrapper inferred']);
      taken(fields, { name: named, parameters: '{"name": "x"}' }, { name: 'x' }, ['wrapper inferred']);
    }
    const other = mendWith(closed({ name: string }, ['name']), { name: named, arguments: { name: 'x', zzzzzz: 1 } });
    expect(other).toMatchObject({ status: 'mended', input: { name: 'x' } });
  });

  it('Coercing: the object as a string is double encoding, lossless', () => {
    taken(schema, JSON.stringify('{"a": "x"}'), { a: 'x' }, ['encoding lossless']);
    taken(schema, JSON.stringify(JSON.stringify('{"a": "x"}')), { a: 'x' }, ['encoding lossless', 'encoding lossless']);
    taken(schema, '{\\"a\\": \\"x\\"}', { a: 'x' }, ['encoding lossless']);
  });

  it.each<[string, unknown]>([
    ['the name of another tool', { name: 'other', parameters: { a: 'x' } }],
    ['a list of two', [{ a: 'x' }, { a: 'y' }]],
    ['two wrappers', { arguments: { a: 'x' }, input: { a: 'y' } }],
    ['a wrapper that holds no object', { arguments: 'x' }],
    ['an empty list', []],
  ])('Coercing: %s is not', (_, value) => refused(schema, value));
});

describe('Coercing: what is never done', () => {
  it('Coercing: A field that may be a string stays as it came, always', () => {
    const types: JsonSchema[] = [
      string,
      { type: ['string', 'number'] },
      { type: ['string', 'array', 'object', 'boolean', 'null'] },
      { anyOf: [strings, string] },
      { anyOf: [closed({ a: integer }), { type: 'string', minLength: 1 }] },
    ];
    for (const a of ['5', 'true', 'null', '["x"]', '{"a": 1}', '<item>x</item>', ' padded '])
      for (const type of types) {
        const sent = { a, n: '5' };
        expect(mendWith(open({ a: type, n: integer }), sent)).toMatchObject({ input: { a, n: 5 } });
      }
  });

  it('Coercing: Bad items are not dropped', () => {
    expect(told(mendWith(open({ l: { type: 'array', items: integer } }), { l: [1, 'x', 3] }))).toMatchObject({
      problems: ['type l.1'],
    });
  });

  it('Coercing: bad optionals are not nulled', () => {
    expect(told(mendWith(open({ n: { type: ['integer', 'null'] } }), { n: 'x' }))).toMatchObject({ status: 'invalid' });
    refused(open({ n: integer }), { n: 'x' });
  });

  it('Coercing: nothing is rounded, no number is read out of words', () => {
    for (const n of [3.7, '3.7', '12 years', 'about 5', '5kg', 'five']) refused(open({ n: integer }), { n });
  });

  it('Coercing: a repair is inferred, and says what was there and what is there now', () => {
    expect(mendWith(open({ n: integer }), { n: '5' }).repairs).toEqual([
      { path: ['n'], kind: 'type', before: '5', after: 5, certainty: 'inferred' },
    ]);
  });
});
