import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mend } from '../../src/mend/mend.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { cpuOf } from '../cpu-of.ts';
import { boolean, closed, integer, mendWith, open, string, told } from './mend-with.ts';

describe('Order: Find the tool, read the arguments, check, and only if the check fails coerce', () => {
  it('Order: an unknown tool is reported before its arguments are read', () => {
    const outcome = mend({ name: 'nope', arguments: '{{{' }, new Toolbox([]));
    expect(told(outcome)).toEqual({ status: 'invalid', errorType: 'unknown_tool', problems: ['unknown_tool'] });
  });

  it('Order: unreadable arguments are reported before they are checked', () => {
    expect(told(mendWith(open({ a: string, b: string }, ['a', 'b']), '{"b": 1, "b": 2}'))).toMatchObject({
      problems: ['duplicate_key b'],
    });
  });

  it('Order: only failing paths are coerced', () => {
    const schema = open({ a: { type: ['string', 'integer'] }, b: integer, c: boolean });
    expect(told(mendWith(schema, { a: '5', b: '5', c: true }))).toEqual({
      status: 'mended',
      input: { a: '5', b: 5, c: true },
      repairs: ['type inferred'],
    });
  });

  it('Order: level by level, as values are unwrapped', () => {
    const schema = open({ outer: open({ list: { type: 'array', items: open({ n: integer }) } }) });
    expect(mendWith(schema, { outer: '{"list": "[{\\"n\\": \\"5\\"}]"}' })).toMatchObject({
      input: { outer: { list: [{ n: 5 }] } },
    });
  });
});

describe('Order: recursive unions stay cheap', () => {
  const tree: JsonSchema = {
    type: 'object',
    properties: { root: { $ref: '#/$defs/node' } },
    required: ['root'],
    $defs: {
      node: {
        anyOf: [
          closed({ and: { type: 'array', items: { $ref: '#/$defs/node' } } }, ['and']),
          closed({ or: { type: 'array', items: { $ref: '#/$defs/node' } } }, ['or']),
          closed({ not: { $ref: '#/$defs/node' } }, ['not']),
          closed({ leaf: integer }, ['leaf']),
        ],
      },
    },
  };
  const nested = (depth: number, leaf: unknown): unknown =>
    depth === 0 ? { leaf } : { and: [nested(depth - 1, leaf), { or: [nested(0, leaf)] }] };

  it('Order: Each pair of value and subschema is checked and coerced once, and errors are capped', () => {
    const outcomes: ReturnType<typeof mendWith>[] = [];
    const took = cpuOf(() => {
      for (const leaf of ['none', '5']) outcomes.push(mendWith(tree, { root: nested(40, leaf) }));
    });
    expect(took).toBeLessThan(2000);
    const [bad, good] = outcomes as [(typeof outcomes)[number], (typeof outcomes)[number]];
    expect(bad.problems.length).toBeLessThanOrEqual(100);
    expect(bad.status).toBe('invalid');
    expect(good).toMatchObject({ status: 'mended', input: { root: nested(40, 5) } });
  });

  it('Order: errors are capped for every validator', () => {
    const rows = (row: unknown) => mendWith(open({ rows: { type: 'array', items: integer } }), { rows: row });
    expect(rows(Array(5000).fill('x')).problems.length).toBeLessThanOrEqual(100);
    const large = `{"rows": [${Array(5000).fill('12345678901234567890').join()}]}`;
    expect(mendWith(open({}), large).problems.length).toBeLessThanOrEqual(100);
  });
});

describe('Order: A value that passes its check is never changed, with two exceptions', () => {
  const expectUnchanged = (_: string, schema: JsonSchema, value: unknown) => {
    expect(told(mendWith(schema, JSON.stringify(value)))).toEqual({ status: 'ok', input: value, repairs: [] });
  };
  it.each<[string, JsonSchema, unknown]>([
    ['text that looks like a number', open({ a: string }), { a: '5' }],
    ['null in a nullable', open({ a: { type: ['string', 'null'] } }), { a: null }],
    ['an undeclared key like nothing', open({ a: string }), { a: 'x', other: 1 }],
    ['an undeclared key like a used property', open({ path: string }), { path: 'x', file_path: 'y' }],
    ['a declared wrapper key', open({ input: open({}), a: string }), { input: { a: 'x' } }],
    ['a wrapper that holds an undeclared key', open({ a: string }), { arguments: { a: 'x', zzz: 1 } }],
    ['a key equal to two properties', open({ a_b: string, aB: string }), { AB: 'x' }],
  ])('Order: unchanged: %s', expectUnchanged);
  it.each<[string, JsonSchema, unknown]>([
    ['a wrapper that is not alone, and holds nothing declared', open({ a: string }), { arguments: { z: 'x' }, b: 1 }],
  ])('guard: Order: unchanged: %s', expectUnchanged);

  it('Order: an undeclared key equal to exactly one unused property but for case, _ and - is renamed', () => {
    const schema = open({ user_name: string });
    for (const key of ['userName', 'USER_NAME', 'user-name']) {
      expect(told(mendWith(schema, { [key]: 'x' }))).toEqual({
        status: 'mended',
        input: { user_name: 'x' },
        repairs: ['key inferred'],
      });
    }
  });

  it('Order: a lone undeclared wrapper key that holds an object whose keys are all declared is unwrapped', () => {
    for (const key of ['arguments', 'parameters', 'input', 'args']) {
      expect(told(mendWith(open({ a: string }), { [key]: { a: 'x' } }))).toEqual({
        status: 'mended',
        input: { a: 'x' },
        repairs: ['wrapper inferred'],
      });
    }
  });
});

describe("Order: A field behind Zod's preprocess or a transform is coerced only after its own run failed", () => {
  const shout = z.preprocess((value) => (typeof value === 'number' ? `#${value}` : value), z.string());
  it('Order: a value that its own preprocess accepts stays unchanged', () => {
    const outcome = mendWith(z.object({ a: shout, n: z.number() }), { a: 5, n: '7' });
    expect(outcome).toMatchObject({ input: { a: 5, n: 7 }, value: { a: '#5', n: 7 } });
    expect(outcome.repairs.map(({ path }) => path)).toEqual([['n']]);
  });

  it('Order: a value that its own run refuses is coerced', () => {
    const schema = z.object({ a: z.number().transform((value) => value * 2) });
    expect(mendWith(schema, { a: '5' })).toMatchObject({ status: 'mended', input: { a: 5 }, value: { a: 10 } });
    const coerced = z.object({ a: z.coerce.number() });
    expect(mendWith(coerced, { a: '5' })).toMatchObject({ status: 'ok', input: { a: '5' }, value: { a: 5 } });
  });
});

it('Order: received in a problem is always what the model wrote', () => {
  const list = open({ ids: { type: 'array', items: integer }, n: { type: 'integer', minimum: 10 } });
  const outcome = mendWith(list, { ids: '[1, "two"]', n: '5' });
  const received = Object.fromEntries(outcome.problems.map((problem) => [problem.path[0], problem.received]));
  expect(received).toMatchObject({ n: '5' });
  expect(outcome.input).toEqual({ ids: '[1, "two"]', n: '5' });
  const zod = mendWith(z.object({ a: z.preprocess(() => 'made up', z.number()) }), { a: 'wrote' });
  expect(zod.problems[0]?.received).toBe('wrote');
});

describe('Order: Two values', () => {
  it("Order: input is mended JSON, value is the validator's output and goes to the tool alone", () => {
    const schema = z.object({ when: z.iso.date().transform((text) => new Date(text)), limit: z.number().default(20) });
    const outcome = mendWith(schema, "{'when': '2024-05-01'}");
    expect(outcome).toMatchObject({ status: 'mended', input: { when: '2024-05-01' } });
    expect('value' in outcome && outcome.value).toEqual({ when: new Date('2024-05-01'), limit: 20 });
  });

  it('Order: After an edit, input is checked again, and comes out as it went in', () => {
    const schema = z.object({ n: z.number().transform(String), limit: z.number().default(20) });
    const first = mendWith(schema, { n: '5' });
    expect(mendWith(schema, first.input)).toMatchObject({
      status: 'ok',
      input: first.input,
      value: { n: '5', limit: 20 },
    });
    expect(mendWith(schema, { ...(first.input as object), limit: 'none' })).toMatchObject({ status: 'invalid' });
  });

  it('Order: A JSON Schema default is never written into input', () => {
    const schema = open({ a: string, limit: { type: 'integer', default: 20 } });
    expect(mendWith(schema, { a: 'x' })).toMatchObject({ status: 'ok', input: { a: 'x' } });
    expect(mendWith(schema, { a: 5 }).input).toEqual({ a: '5' });
    expect(mendWith(schema, { a: 'x', limit: null }).input).toEqual({ a: 'x' });
  });
});

it('Order: mend() is synchronous; a schema that can only check asynchronously is refused when the tool is added', () => {
  const later = z.object({ a: z.string().refine(async () => true) });
  expect(() => new Toolbox([tool({ name: 'later', description: 'Waits', inputSchema: later })])).toThrow(
    /asynchronous/i,
  );
});

it("Order: the caller's arguments are not changed", () => {
  const given = { n: '5', list: ['1'], userName: 'x' };
  const kept = structuredClone(given);
  mendWith(open({ n: integer, list: { type: 'array', items: integer }, user_name: string }), given);
  expect(given).toEqual(kept);
});
