/** The digits of numbers: kept as written, or the call is refused; never rounded on the way. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type JsonObject, parseJson } from '../../src/json/value.ts';
import { mendCall } from '../../src/mend/mend-call.ts';
import { mendValue } from '../../src/mend/mend-value.ts';
import { jsonSuffix } from '../../src/mend/streaming/json-suffix.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, mendWith, open, told } from './mend-with.ts';

const number = open({ n: { type: 'number' } });
const integer = open({ n: { type: 'integer' } });

describe('a number past 2^53 whose digits are lost is refused in every notation', () => {
  it.each([
    '9007199254740993e0',
    '90071992547409930e-1',
    '-9.007199254740993e15',
    '1.2345678901234567890e25',
    `1${'0'.repeat(99)}1e5`,
  ])('%s', (literal) => {
    for (const schema of [number, integer, open({})])
      for (const args of [`{"n": ${literal}}`, `{n: ${literal},}`])
        expect(told(mendWith(schema, args))).toMatchObject({ problems: ['unsafe_integer n'] });
    expect(mendWith(number, { n: literal }).status).toBe('invalid');
    expect(mendWith(open({ n: { type: 'string' } }), `{"n": ${literal}}`).input).toEqual({ n: literal });
  });
});

describe('a decimal past 2^53 is the number that JSON.parse reads, or its digits as text', () => {
  it.each(['12345678901234567.89', '-12345678901234567.5', '9007199254740993.01', '99999999999999999999.000001'])(
    '%s',
    (literal) => {
      for (const args of [`{"n": ${literal}}`, `{n: ${literal},}`]) {
        for (const schema of [number, open({}), open({ n: { type: ['string', 'number'] } })])
          expect(mendWith(schema, args)).toMatchObject({ input: { n: Number(literal) } });
        expect(told(mendWith(integer, args))).toMatchObject({ problems: ['type n'] });
      }
      expect(mendValue(`{"n": ${literal}}`)).toMatchObject({ status: 'ok', input: { n: Number(literal) } });
      expect(mendWith(number, `{"n": ${literal}}`, { effect: 'destructive' }).status).toBe('ok');
    },
  );
});

describe('a decimal that JavaScript writes with an exponent is text as written', () => {
  const text = { type: 'string' } as const;
  const schema = open({
    s: text,
    n: { type: ['string', 'null'] },
    l: { type: 'array', items: text },
    m: { type: 'object', additionalProperties: text },
    e: { enum: ['0.0000005', '-0.0000001', '0.00000000000012', '0.0000001234'] },
  });
  it.each(['0.0000005', '-0.0000001', '0.00000000000012', '0.0000001234'])('%s', (literal) => {
    const values = { s: literal, n: literal, l: [literal], m: { k: literal }, e: literal };
    const args = `{"s": ${literal}, "n": ${literal}, "l": [${literal}], "m": {"k": ${literal}}, "e": ${literal}}`;
    const loose = `${args.replaceAll('"', "'").slice(0, -1)},}`;
    for (const given of [args, loose, `\`\`\`json\n${args}\n\`\`\``, `{"arguments": ${args}}`, JSON.stringify(args)])
      expect(mendWith(schema, given).input).toEqual(values);
    expect(mendValue(args, schema).input).toEqual(values);
    expect(mendWith(schema, `{"l": ${literal}}`).input).toEqual({ l: [literal] });
    expect(mendWith(schema, `{"l": "[${literal}]"}`).input).toEqual({ l: [literal] });
    expect(mendWith(schema, `s: ${literal}`).input).toEqual({ s: literal });
    expect(mendWith(number, `{"n": ${literal}}`)).toMatchObject({ status: 'ok', input: { n: Number(literal) } });
  });
});

describe('digits with underscores that are not thousands', () => {
  const field = (type: 'integer' | 'number' | 'string' | ('string' | 'number')[]) => closed({ a: { type } });
  it.each(['1861_1865', '1_0', '2024_01_15', '12_34_567', '1_00_000', '0_1', '1_0.5'])('%s is no number', (digits) => {
    for (const text of [`{"a": ${digits}}`, `{'a': ${digits}}`, `a=${digits}`, `act(a=${digits})`]) {
      expect(mendWith(field('integer'), text).status).toBe('invalid');
      expect(mendWith(field('number'), text).status).toBe('invalid');
      expect(mendWith(field(['string', 'number']), text).status).toBe('invalid');
    }
    expect(mendWith(field('string'), `{"a": ${digits}}`)).toMatchObject({ input: { a: digits } });
  });
  it.each([
    ['1_000', 1000],
    ['12_345_678', 12_345_678],
    ['0xff_ff', 0xffff],
  ])('guard: %s is one', (digits, number) => {
    expect(mendWith(field('integer'), `{"a": ${digits}}`)).toMatchObject({ input: { a: number } });
    expect(mendWith(field('string'), `{"a": ${digits}}`)).toMatchObject({ input: { a: digits } });
  });
  it('in Python calls', () => {
    const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: field('integer') })]);
    const read = (digits: string) => readCalls(`[act(a=${digits})]`, toolbox, { dialect: 'pythonic' }).calls[0];
    expect(read('1861_1865')?.status).toBe('invalid');
    expect(read('1_000')?.input).toEqual({ a: 1000 });
  });
});

describe('thousands separated by commas in a list', () => {
  const lists = [['[1,000, 2,000]'], ['[12,050, 300]'], ['[1,000.50]'], ['[300, 1,000]'], ['(1,000)'], ['[1,234,050]']];
  const field = (type: 'integer' | 'number' | 'string') => closed({ a: { type: 'array', items: { type } } });
  it.each(lists)('%s is refused', (list) => {
    for (const type of ['integer', 'number', 'string'] as const) {
      expect(mendWith(field(type), `{"a": ${list}}`).status).toBe('invalid');
      expect(mendWith(field(type), { a: list }).status).toBe('invalid');
    }
    const toolbox = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: field('number') })]);
    expect(readCalls(`[act(a=${list})]`, toolbox, { dialect: 'pythonic' }).calls[0]?.status).toBe('invalid');
  });
  it.each([
    ['[1, 000, 2]', ['1', '000', '2']],
    ['[007,008]', ['007', '008']],
    ['[1,0012]', ['1', '0012']],
  ])('guard: %s is read as text', (list, a) => {
    expect(mendWith(field('string'), `{"a": ${list}}`)).toMatchObject({ input: { a } });
  });
});

describe('the digits of dialects', () => {
  const inputSchema = open({ s: { type: 'string' }, l: { type: 'array', items: { type: 'string' } } });
  const toolbox = new Toolbox([tool({ name: 'pay', description: 'Pays', effect: 'read', inputSchema })]);
  for (const literal of ['0.0000005', '0.50', '1.0', '5e-7'])
    it.each([
      ['hermes', `<tool_call>{"name": "pay", "arguments": {"s": ${literal}, "l": [${literal}]}}</tool_call>`],
      [
        'kimi-k2',
        `<|tool_call_begin|>functions.pay:0<|tool_call_argument_begin|>{"s": ${literal}, "l": [${literal}]}<|tool_call_end|>`,
      ],
      ['react', `Action: pay\nAction Input: {"s": ${literal}, "l": [${literal}]}`],
      ['gemma4', `<|tool_call>call:pay{s:${literal},l:[${literal}]}<tool_call|>`],
      ['functiongemma', `<start_function_call>call:pay{s:${literal},l:[${literal}]}<end_function_call>`],
    ])(`${literal === '0.0000005' ? '' : 'guard: '}%s keeps them: %s`, (dialect, text) => {
      const { calls } = readCalls(text, toolbox, { dialect });
      expect(calls.map(({ input }) => input)).toEqual([{ s: literal, l: [literal] }]);
    });
  it.each(['0.0000005', '0.50', '1.0', '5e-7'])('guard: pythonic keeps them: %s', (literal) => {
    const { calls } = readCalls(`[pay(s=${literal}, l=[${literal}])]`, toolbox, { dialect: 'pythonic' });
    expect(calls.map(({ input }) => input)).toEqual([{ s: literal, l: [literal] }]);
  });
});

describe('guard: a decimal past 2^53 in other places', () => {
  it.each(['12345678901234567.89', '-12345678901234567.5'])('%s', (literal) => {
    expect(mendWith(open({ n: { type: 'string' } }), `{"n": ${literal}}`).input).toEqual({ n: literal });
    expect(mendWith(number, { n: literal }).status).toBe('invalid');
  });
  it.each(['12345678901234567.0', '9007199254740993.000', '9007199254740993'])('the integer %s is refused', (literal) =>
    expect(told(mendWith(number, `{"n": ${literal}}`))).toMatchObject({ problems: ['unsafe_integer n'] }),
  );
});

describe('guard: large numbers whose digits come back are numbers', () => {
  it.each(['6.02e+23', '6.02e23', '1e22', '1E22', '1.50e300', '-1.7976931348623157e308', '0.5e20', '9007199254740991'])(
    '%s',
    (literal) => {
      for (const args of [`{"n": ${literal}}`, `{n: ${literal},}`, { n: literal }])
        expect(mendWith(number, args)).toMatchObject({ input: { n: Number(literal) } });
    },
  );
});

describe('a mended call is written with its numbers as they were', () => {
  const toolbox = new Toolbox([
    tool({
      name: 'act',
      description: 'Acts',
      inputSchema: open({ n: { type: 'number' }, item_size: { type: 'number' }, ok: { type: 'boolean' } }),
    }),
  ]);
  const sent = (args: string) =>
    mendCall({ type: 'call', id: 'c', name: 'act', arguments: args }, toolbox).part.arguments;
  it.each([
    ['beside a repair', '{"n": 1.0, "ok": "yes"}', '{"n":1.0,"ok":true}'],
    ['in a wrapper', '{"arguments": {"n": -0, "ok": true}}', '{"n":-0,"ok":true}'],
    ['under another key', '{"itemSize": 1E5}', '{"item_size":1E5}'],
    ['two alike that move', '{"arguments": {"n": 1.0, "item_size": 1.0}}', '{"n":1.0,"item_size":1.0}'],
    ['in a list of one', '[{"n": 2.50}]', '{"n":2.50}'],
    ['in an untyped place', '{"ok": "no", "more": [{"x": [0.10]}]}', '{"ok":false,"more":[{"x":[0.10]}]}'],
    ['a small decimal', '{"n": 0.0000005, "ok": "yes"}', '{"n":0.0000005,"ok":true}'],
    ['in JSON with slips', "{'n': 1.0, ok: True,}", '{"n":1.0,"ok":true}'],
    ['in double encoding', JSON.stringify('{"n": 1.0, "ok": true}'), '{"n":1.0,"ok":true}'],
  ])('%s', (_, args, text) => {
    expect(sent(args)).toBe(text);
  });

  it('a value keeps what its text showed', () => {
    const schema = open({ version: { type: 'string' }, id: { type: 'string' }, dose: { type: 'string' } });
    const box = new Toolbox([tool({ name: 'act', description: 'Acts', inputSchema: schema })]);
    const value = parseJson('{"version": 1.10, "id": 9007199254740993, "dose": 0.0000005}') as JsonObject;
    const { part, outcome } = mendCall({ type: 'call', id: 'c', name: 'act', arguments: value }, box);
    expect(part.arguments).toEqual({ version: '1.10', id: '9007199254740993', dose: '0.0000005' });
    expect(outcome.raw.arguments).toBe(value);
    // A value may be cut without showing it.
    expect(mendCall({ type: 'call', id: 'c', name: 'act', arguments: value }, box, undefined, 'length').changed).toBe(
      false,
    );
  });

  it.each([
    ['{"a": 1.0, "b": ', '2}'],
    ['{"a": 1E0,', '"b":2}'],
  ])('what was streamed as %s goes on', (start, rest) => {
    expect(jsonSuffix(start, { a: 1, b: 2 })).toBe(rest);
  });
});

describe('guard: what a number is not written like', () => {
  it.each([['{"a": 2.0, "b": '], ['{"a": 1'], ['{"a": -1, ']])('%s is no start of it', (start) => {
    expect(jsonSuffix(start, { a: 1, b: 2 })).toBeUndefined();
  });
});
