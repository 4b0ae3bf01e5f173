import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { feedback, mend, mendValue, Toolbox, tool, withMending } from '../src/index.ts';
import { JsonReader, readJson } from '../src/json/index.ts';
import type { JsonSchema } from '../src/schema/types.ts';
import { cpuOf, growthOf } from './cpu-of.ts';
import { isLong } from './sample.ts';

const box = (input: unknown): Toolbox =>
  new Toolbox([tool({ name: 'take', description: 'Takes', inputSchema: input })]);
/** As the command line takes them: definitions that nobody has checked. */
const given = (input: unknown): Toolbox =>
  new Toolbox([tool({ name: 'take', description: 'Takes', inputSchema: input })], { validate: false });
const anything = box({ type: 'object' });
const take = (args: unknown, toolbox = anything) => mend({ name: 'take', arguments: args }, toolbox);
const codes = (found: { readonly problems: readonly { readonly code: string }[] }) =>
  found.problems.map(({ code }) => code);

describe('F6 nesting a million deep is a depth error, never a RangeError', () => {
  const million = 1_000_000;
  const texts = {
    brackets: '['.repeat(million),
    'brackets, closed': '['.repeat(million) + ']'.repeat(million),
    objects: '{"a":'.repeat(million),
    'objects, closed': `${'{"a":'.repeat(million)}1${'}'.repeat(million)}`,
    'in a field': `{"a": ${'['.repeat(million)}${']'.repeat(million)}}`,
    'mixed and damaged': '{a:[('.repeat(million / 2),
  };
  const value = (): unknown => {
    let deep: unknown = 1;
    for (let level = 0; level < million; level += 1) deep = level % 2 ? { a: deep } : [deep];
    return { a: deep };
  };

  it.each(Object.entries(texts))('F6 as text: %s', (_, text) => {
    expect(codes(take(text))).toEqual(['depth']);
    expect(codes(readJson(text))).toEqual(['depth']);
    expect(codes(mendValue(text))).toEqual(['depth']);
    expect(codes(mendValue(text, z.object({ a: z.any() })))).toEqual(['depth']);
    const reader = new JsonReader();
    for (let at = 0; at < text.length; at += 65_536) reader.push(text.slice(at, at + 65_536));
    expect(codes(reader.end())).toEqual(['depth']);
  });

  it('F6 as a value somebody parsed, and the feedback can be written', () => {
    const outcome = take(value());
    expect(codes(outcome)).toEqual(['depth']);
    if (outcome.status === 'invalid')
      for (const tries of [1, 2, 3]) expect(feedback(outcome, { attempt: tries }).text).toContain('deep');
    expect(withMending({ type: 'object' })['~standard'].validate(value())).toHaveProperty('issues');
    expect(codes(take(value(), given(z.object({ a: z.any() }))))).toEqual(['depth']);
  });

  it('F6 in text inside of text', () => {
    const inner = '['.repeat(100_000);
    const list = box({ type: 'object', properties: { l: { type: 'array' } } });
    expect(take(JSON.stringify({ l: inner + ']'.repeat(100_000) }), list)).toMatchObject({ status: 'invalid' });
    expect(
      take(JSON.stringify({ l: `${'<i>'.repeat(100_000)}${'</i>'.repeat(100_000)}` }), list).problems,
    ).toBeDefined();
  });

  const nestings: Readonly<Record<string, (inner: JsonSchema) => JsonSchema>> = {
    properties: (inner) => ({ type: 'object', properties: { a: inner } }),
    items: (inner) => ({ type: 'array', items: inner }),
    anyOf: (inner) => ({ anyOf: [inner, { type: 'null' }] }),
    allOf: (inner) => ({ allOf: [inner] }),
    additionalProperties: (inner) => ({ type: 'object', additionalProperties: inner }),
    'several types': (inner) => ({ type: ['object', 'null'], properties: { a: inner } }),
  };
  const calls = ['{"a": {"a": {}}}', '{"a": 5}', '{"a": "[1, 2]", "b": 1}', 'a: 5', { A: [[[5]]] }];

  it.each(Object.entries(nestings))(
    'F6 a schema 20,000 deep, by %s, is refused when added and else answered',
    // Forty answers of a sixth of a second each, which a busy machine gives an eighth of its time.
    { timeout: 300_000 },
    (_, nest) => {
      let inner: JsonSchema = { type: 'string' };
      for (let level = 0; level < 20_000; level += 1) inner = nest(inner);
      const schema: JsonSchema = { type: 'object', properties: { a: inner } };
      expect(() => box(schema)).toThrow(expect.objectContaining({ name: 'ConfigurationValidationError' }));
      const toolbox = given(schema);
      for (const args of isLong ? [...calls, ...calls, ...calls, ...calls] : calls) {
        const outcome = take(args, toolbox);
        if (outcome.status === 'invalid') expect(feedback(outcome, { attempt: 3 }).text).not.toBe('');
        expect(withMending(schema)['~standard'].validate(args)).toBeDefined();
      }
      expect(mendValue('{"a": 1', schema).status).toBe('invalid');
    },
  );

  it('F6 a chain of references 9,000 long is answered', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 9000 }, (_, i) => [
        `d${i}`,
        { type: 'object', properties: { a: { $ref: `#/$defs/d${i + 1}` } } },
      ]),
    );
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/d0' } },
      $defs: { ...defs, d9000: { type: 'string' } },
    };
    expect(take('{"a": {"a": {}}}', given(schema)).status).toBe('ok');
    expect(take('{"a": {"a": 1}, "b": 2}', given(schema)).status).toBe('invalid');
  });

  it('F6 a list of lists without end takes one value for no list of lists without end', () => {
    const lists = (item: JsonSchema): JsonSchema => ({
      type: 'object',
      properties: { x: { $ref: '#/$defs/n' } },
      $defs: { n: item },
    });
    const list: JsonSchema = { type: 'array', items: { $ref: '#/$defs/n' } };
    for (const schema of [lists(list), lists({ anyOf: [{ type: 'integer' }, list] })])
      for (const x of [true, 'a', { k: 1 }, '5.5']) {
        const outcome = take({ x }, box(schema));
        expect(codes(outcome)).toEqual(['type']);
        expect(outcome.problems[0]).toMatchObject({ path: ['x'], received: x });
      }
  });
});

describe('F7 text made to be slow to repair takes linear time', () => {
  const shapes: Readonly<Record<string, (size: number) => string>> = {
    'stray quotes': (size) => `{"a": "${'x" '.repeat(size / 3)}"}`,
    'quotes alone': (size) => '"'.repeat(size),
    'quotes and commas': (size) => `{"a": ["${'", '.repeat(size / 3)}"]}`,
    'quotes and keys': (size) => `{"a": "${'", b": '.repeat(size / 6)}"}`,
  };
  it.each(Object.entries(shapes))('F7 160 KB of %s, and four times that', (_, make) => {
    const [small, large] = [make(40_960), make(163_840)];
    // Four times the text may cost ten times as much on a busy machine; sixteen would be quadratic.
    const { times, ratio } = growthOf(
      () => take(small),
      () => take(large),
      { bar: 10, floor: 2 },
    );
    expect(ratio).toBeLessThan(10);
    expect(times[1]).toBeLessThan(1000);
  });
});

it('F8 a pattern made to backtrack is decided at once, in a whole call', () => {
  const slow = box({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
  const call = { a: `${'a'.repeat(50_000)}b` };
  expect(cpuOf(() => expect(codes(take(call, slow))).toEqual(['pattern']))).toBeLessThan(1000);
});

describe('F9 __proto__, constructor and a tool named toString', () => {
  const shape = box({ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false });
  it.each([
    '{"__proto__": {"a": "x"}}',
    '{"a": "x", "__proto__": null}',
    '{__proto__: {"a": "x"},}',
    '{"x": {"__proto__": {"polluted": true}}}',
    '{"\\u005f\\u005fproto\\u005f\\u005f": {"a": "x"}}',
  ])('F9 %s is refused and recorded', (text) => {
    for (const toolbox of [anything, shape]) expect(codes(take(text, toolbox))).toContain('forbidden_key');
    expect(codes(mendValue(text))).toContain('forbidden_key');
    expect(codes(take(JSON.parse(text.replace('{__proto__', '{"__proto__"').replace(',}', '}'))))).toContain(
      'forbidden_key',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('F9 constructor where a schema is closed is refused, and nothing inherited passes for a field', () => {
    expect(codes(take('{"constructor": {"prototype": {"x": 1}}}', shape))).toEqual(['forbidden_key']);
    const needs = box({ type: 'object', properties: { toString: { type: 'string' } }, required: ['toString'] });
    expect(codes(take('{}', needs))).toEqual(['required']);
    expect(take('{"toString": "x"}', needs)).toMatchObject({ status: 'ok' });
    expect(take('{"hasOwnProperty": 1, "valueOf": 2}')).toMatchObject({ status: 'ok' });
  });

  it('F9 a tool named toString is a tool like any other, and no other finds it', () => {
    const odd = new Toolbox([tool({ name: 'toString', description: 'T' })]);
    expect(mend({ name: 'toString', arguments: '{}' }, odd)).toMatchObject({ status: 'ok', name: 'toString' });
    expect(mend({ name: 'toString', arguments: '{}' }, anything)).toMatchObject({ errorType: 'unknown_tool' });
    expect(mend({ name: 'constructor', arguments: '{}' }, anything)).toMatchObject({ errorType: 'unknown_tool' });
  });
});

describe('F10 integers past 2^53 are kept whole or refused, never rounded', () => {
  const ids = ['9007199254740993', '-9007199254740993', '12345678901234567890', '1'.repeat(40)];
  it.each(ids)('F10 %s', (id) => {
    const field = (type: string) => box({ type: 'object', properties: { id: { type } } });
    for (const text of [`{"id": ${id}}`, `{id: ${id},}`, `{"id": ${id}.0}`]) {
      expect(take(text, field('integer')).status).toBe('invalid');
      expect(take(text, field('number')).status).toBe('invalid');
      expect(take(text).status).toBe('invalid');
    }
    expect(take(`{"id": ${id}}`, field('string'))).toMatchObject({ input: { id } });
    expect(take({ id }, field('integer')).status).toBe('invalid');
    if (id.length < 22) expect(take({ id: Number(id) }, field('integer')).status).toBe('invalid');
    expect(mendValue(`{"id": ${id}}`).status).toBe('invalid');
    expect(mendValue(`[${id}]`, z.array(z.number())).status).toBe('invalid');
    expect(withMending(z.object({ id: z.number() }))['~standard'].validate(`{"id": ${id}}`)).toHaveProperty('issues');
  });
});

it('F11 duplicate keys are recorded, never silently the last', () => {
  for (const text of ['{"a": 1, "a": 2}', "{'a': 1, a: 2}", '{"x": {"a": 1, "a": 2}}', '{"a": 1, "\\u0061": 2}']) {
    expect(codes(take(text))).toEqual(['duplicate_key']);
    expect(codes(mendValue(text))).toEqual(['duplicate_key']);
  }
  expect(take('{"a": {"b": 1}, "a": {"b": 1}}')).toMatchObject({
    status: 'mended',
    input: { a: { b: 1 } },
    repairs: [{ kind: 'duplicate', certainty: 'lossless', path: ['a'] }],
  });
});

it('F12 NUL and lone surrogates are kept as they came', () => {
  const fields = box({ type: 'object', properties: { a: { type: 'string' }, n: { type: 'integer' } } });
  for (const a of ['\u0000', 'x\u0000y', '\ud800', 'a\udc00b', '\udc00\ud800', '\u2028\u2029']) {
    expect(take({ a, n: '1' }, fields).input).toEqual({ a, n: 1 });
    expect(take(JSON.stringify({ a }), fields).input).toEqual({ a });
    expect(take(`{"a": "${a}", "n": 1,}`, fields).input).toEqual({ a, n: 1 });
    expect(take(`{'a': '${a}'}`, fields).input).toEqual({ a });
    const reader = new JsonReader();
    for (const char of `{"a": "${a}"}`.split('')) reader.push(char);
    expect(reader.end().value).toEqual({ a });
    expect(take({ [a]: 'key' }, anything).input).toEqual({ [a]: 'key' });
  }
});

it('F13 200,000 keys meet the key limit', () => {
  const value = Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`k${i}`, i]));
  const text = JSON.stringify(value);
  for (const found of [take(text), take(value), mendValue(text), readJson(`${text.slice(0, -1)},}`)])
    expect(codes(found)).toEqual(['keys']);
  const nested = JSON.stringify(Array.from({ length: 200_000 }, () => ({ a: 1 })));
  expect(codes(take(`{"list": ${nested}}`))).toEqual(['keys']);
});

describe('F14 hostile schemas are refused when added', () => {
  it.each<[string, JsonSchema]>([
    ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } } }],
    [
      'a ring of references',
      {
        type: 'object',
        properties: { a: { $ref: '#/$defs/b' } },
        $defs: { b: { $ref: '#/$defs/c' }, c: { $ref: '#/$defs/b' } },
      },
    ],
    ['a remote reference', { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } }],
    ['10 MB', { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(10_000_000) } } }],
  ])('F14 %s', (_, schema) => {
    expect(() => box(schema)).toThrow(expect.objectContaining({ name: 'ConfigurationValidationError' }));
    expect(() => take('{"a": "x"}', given(schema))).not.toThrow();
  });

  it('F14 a tool that refers to itself through its fields is fine', () => {
    const tree: JsonSchema = { type: 'object', properties: { left: { $ref: '#' }, n: { type: 'integer' } } };
    expect(take({ left: { left: { n: '5' } } }, box(tree))).toMatchObject({ input: { left: { left: { n: 5 } } } });
  });
});
