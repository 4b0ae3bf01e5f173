/** What reading a value of a tagged or Python call finds is part of the call: its repairs, problems and literals. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const dsml = (block: string) => (value: string) =>
  `<｜DSML｜${block}><｜DSML｜invoke name="apply"><｜DSML｜parameter name="data" string="false">${value}</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜${block}>`;
const python = (open: string, close: string) => (value: string) => `${open}apply(data=${value})${close}`;
const rows: Readonly<Record<string, (value: string) => string>> = {
  'deepseek-v32': dsml('function_calls'),
  'deepseek-v4': dsml('tool_calls'),
  'kimi-k3': (value) =>
    `<|open|>tools<|sep|><|open|>call tool="apply" index="1"<|sep|><|open|>argument key="data" type="object"<|sep|>${value}<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>`,
  'qwen3-coder': (value) =>
    `<tool_call>\n<function=apply>\n<parameter=data>\n${value}\n</parameter>\n</function>\n</tool_call>`,
  glm45: (value) => `<tool_call>apply\n<arg_key>data</arg_key>\n<arg_value>${value}</arg_value>\n</tool_call>`,
  'minimax-m2': (value) =>
    `<minimax:tool_call>\n<invoke name="apply">\n<parameter name="data">${value}</parameter>\n</invoke>\n</minimax:tool_call>`,
  gemma4: (value) => `<|tool_call>call:apply{data:${value}}<tool_call|>`,
  lfm2: python('<|tool_call_start|>[', ']<|tool_call_end|>'),
  pythonic: python('[', ']'),
  'llama4-pythonic': python('[', ']'),
  olmo3: python('<function_calls>', '</function_calls>'),
};
const told = ['deepseek-v32', 'deepseek-v4', 'kimi-k3'];
const tagged = ['qwen3-coder', 'glm45', 'minimax-m2'];
const pythonic = ['lfm2', 'pythonic', 'llama4-pythonic', 'olmo3'];

const any: JsonSchema = { description: 'Anything' };
const object: JsonSchema = { type: 'object' };
const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };
const textMap: JsonSchema = { type: 'object', additionalProperties: text };
const integer: JsonSchema = { type: 'integer' };
const integers: JsonSchema = { type: 'array', items: integer };
const either: JsonSchema = { type: ['string', 'integer'] };
const counted: JsonSchema = { type: 'object', properties: { a: integer } };

/** What a destructive tool gets: the value, or why there is none, with the repairs beside `text`. */
function read(dialect: string, value: string, schema: JsonSchema, effect: Effect = 'destructive') {
  const inputSchema = { type: 'object', properties: { data: schema } } as const;
  const apply = tool({ name: 'apply', description: 'Applies', effect, inputSchema });
  const written = (rows[dialect] as (value: string) => string)(value);
  const { calls } = readCalls(written, new Toolbox([apply], { validate: false }), { dialect });
  const [call] = calls;
  const repairs = call?.repairs.filter(({ kind }) => kind !== 'text') ?? [];
  return {
    count: calls.length,
    result: call?.status === 'invalid' ? call.problems[0]?.code : (call?.input as { data?: unknown } | undefined)?.data,
    place: call?.problems[0]?.path.join('.'),
    message: call?.problems[0]?.message ?? '',
    inferred: repairs.filter(({ certainty }) => certainty === 'inferred').map(({ path }) => path.join('.')),
    repairs: repairs.map(({ kind }) => kind),
  };
}

describe.each(told)('JSON that a tag names, in %s', (dialect) => {
  it.each([
    ['{"keep": ["x"], "drop": ["y"], "keep": ["z"]}', object, 'duplicate_key', 'data.keep'],
    ['{"keep": ["x"], "drop": ["y"], "keep": ["z"]}', any, 'duplicate_key', 'data.keep'],
    ['[{"a": 1, "a": 2}]', { type: 'array' }, 'duplicate_key', 'data.0.a'],
    ['{"where": "name = "Bob" only"}', object, 'not_exact', 'data.where'],
    ['{"a": 01}', object, 'ambiguous', 'data.a'],
    ['[1, 007]', { type: 'array' }, 'ambiguous', 'data.1'],
    ['{"a": 1} done', object, 'not_exact', ''],
    ['{"a": hello world}', object, 'not_exact', 'data.a'],
    ['{"s": "a" + "b"}', object, 'not_exact', 'data.s'],
    ['{"a": 1 // not 2\n}', object, 'ambiguous', 'data.a'],
    ['{"a": 1 // not 2\n}', counted, 'not_exact', 'data.a'],
    ['{"a": "5"}', counted, 'not_exact', 'data.a'],
    ['["1", "2"]', integers, 'not_exact', 'data.0'],
    ['9007199254740993', any, 'unsafe_integer', 'data'],
    ['9007199254740993', either, 'unsafe_integer', 'data'],
    ['-9007199254740993', any, 'unsafe_integer', 'data'],
    ['{"a": 1', any, 'truncated', 'data.a'],
    ['{"a": {"b": 1}', any, 'syntax', 'data'],
    ['007', any, 'ambiguous', 'data'],
    ['007', either, 'ambiguous', 'data'],
  ] as [string, JsonSchema, string, string][])('refuses %j', (value, schema, code, place) => {
    expect(read(dialect, value, schema)).toMatchObject({ count: 1, result: code, place });
  });

  it.each([
    ["{'a': 1}", object, { a: 1 }, ['quote']],
    ['{"a": 1,}', object, { a: 1 }, ['comma']],
    ['{"a": 1 "b": 2}', object, { a: 1, b: 2 }, ['comma']],
  ] as [string, JsonSchema, unknown, string[]][])(
    'records what was certain in %j',
    (value, schema, result, repairs) => {
      expect(read(dialect, value, schema)).toMatchObject({ result, repairs, inferred: [] });
    },
  );

  it.each([
    ['{"a": 3.10}', textMap, { a: '3.10' }],
    ['{"a": 1.0, "b": 1e5}', textMap, { a: '1.0', b: '1e5' }],
    ['[2.50, -0]', texts, ['2.50', '-0']],
  ] as [string, JsonSchema, unknown][])('keeps the notation of numbers in %j', (value, schema, result) => {
    expect(read(dialect, value, schema, 'write')).toMatchObject({ result });
  });

  it.each([
    ['4.99999999999999999', integer],
    ['[4.99999999999999999]', integers],
  ] as [string, JsonSchema][])('never rounds %s to an integer', (value, schema) => {
    expect(read(dialect, value, schema, 'write')).toMatchObject({ result: 'type' });
  });

  it.each([
    ['"A-17"', text, 'A-17'],
    ['"A-17"', either, 'A-17'],
    ['"null"', { type: ['string', 'null'] }, 'null'],
    ['"a\\nb: \\"c\\""', text, 'a\nb: "c"'],
    ['"a" ', text, 'a'],
    ['say "hi"', text, 'say "hi"'],
    ['hello', text, 'hello'],
    ['"^\\\\d+$"', text, '^\\d+$'],
  ] as [string, JsonSchema, unknown][])('reads the JSON string %s', (value, schema, result) => {
    expect(read(dialect, value, schema)).toMatchObject({ result, repairs: [] });
  });

  it.each([
    ['"5"', integer, 'not_exact'],
    ['"C:\\temp\\new"', text, 'ambiguous'],
    ['"a" and "b"', text, 'ambiguous'],
  ] as [string, JsonSchema, string][])('refuses %s', (value, schema, code) => {
    expect(read(dialect, value, schema)).toMatchObject({ count: 1, result: code });
  });

  it.each([
    ['1.50', text, '1.50'],
    ['True', text, 'True'],
  ] as const)('keeps %j as written for text', (value, schema, result) => {
    expect(read(dialect, value, schema)).toMatchObject({ result, repairs: [] });
  });

  it.each([
    ['{"a": 1, "b": ["x"]}', object, { a: 1, b: ['x'] }],
    ['{"a": 1, "b": ["x"]}', any, { a: 1, b: ['x'] }],
    ['{"a": "01"}', object, { a: '01' }],
    ['{"a": "9007199254740993"}', object, { a: '9007199254740993' }],
    ['{"a": 0.5, "b": 0, "c": -0.25}', object, { a: 0.5, b: 0, c: -0.25 }],
    ['[1, 2]', integers, [1, 2]],
    ['5', integer, 5],
    ['-3', any, -3],
    ['5', text, '5'],
    ['007', text, '007'],
    ['9007199254740993', text, '9007199254740993'],
    ['[WIP] fix', text, '[WIP] fix'],
    ['true', { type: 'boolean' }, true],
    ['null', { type: ['object', 'null'] }, null],
  ] as [string, JsonSchema, unknown][])('guard: reads %j exactly', (value, schema, result) => {
    expect(read(dialect, value, schema)).toMatchObject({ result, repairs: [] });
  });
});

it.each([
  rows['deepseek-v32']?.('null').replace('string="false"', 'string="true"'),
  rows['kimi-k3']?.('null').replace('type="object"', 'type="string"'),
])('null is text if its tag says so: %s', (written = '') => {
  const data = { type: ['string', 'null'] } as const;
  const inputSchema = { type: 'object', properties: { data } } as const;
  const apply = tool({ name: 'apply', description: 'Applies', inputSchema });
  expect(readCalls(written, new Toolbox([apply])).calls).toMatchObject([{ status: 'ok', input: { data: 'null' } }]);
});

describe.each(tagged)('types inside JSON, in %s', (dialect) => {
  it.each([
    ['["1", "2"]', integers, ['data.0', 'data.1']],
    ['{"a": "5"}', counted, ['data.a']],
    ['[{"a": "5"}]', { type: 'array', items: counted }, ['data.0.a']],
    ['[true]', texts, ['data.0']],
    ['{"a": "true"}', { type: 'object', properties: { a: { type: 'boolean' } } }, ['data.a']],
  ] as [string, JsonSchema, string[]][])('records their change in %j', (value, schema, inferred) => {
    expect(read(dialect, value, schema)).toMatchObject({ result: 'not_exact', inferred });
  });

  it.each([
    ['[1, 2]', integers, [1, 2]],
    ['{"a": 5}', counted, { a: 5 }],
    ['["1", "2"]', texts, ['1', '2']],
    ['["1", "2"]', text, '["1", "2"]'],
    ['5', integer, 5],
    ['True', { type: 'boolean' }, true],
    ['007', text, '007'],
    ['007', either, '007'],
    ['{"a": 01}', text, '{"a": 01}'],
  ] as [string, JsonSchema, unknown][])('guard: reads %j exactly', (value, schema, result) => {
    expect(read(dialect, value, schema)).toMatchObject({ result, repairs: [] });
  });
});

describe.each(pythonic)('numbers and constants in %s', (dialect) => {
  it.each([
    ['00420', any, 'ambiguous', 'data'],
    ['01234', either, 'ambiguous', 'data'],
    ['-007', any, 'ambiguous', 'data'],
    ['(007)', any, 'ambiguous', 'data'],
    ['007.5', any, 'ambiguous', 'data'],
    ['[1, 007]', { type: 'array' }, 'ambiguous', 'data.1'],
    ['(1, 007)', { type: 'array' }, 'ambiguous', 'data.1'],
    ["{'zip': 00420}", object, 'ambiguous', 'data.zip'],
    ["{'at': [{'zip': 00420}]}", object, 'ambiguous', 'data.at.0.zip'],
    ["{**{'zip': 00420}}", object, 'ambiguous', 'data.zip'],
    ['[*[007]]', { type: 'array' }, 'ambiguous', 'data.0'],
    ['010', integer, 'not_exact', 'data'],
    ['-007', integer, 'not_exact', 'data'],
    ['[010]', integers, 'not_exact', 'data.0'],
    ['[9007199254740993]', { type: 'array' }, 'unsafe_integer', 'data.0'],
    ['[9007199254740993]', integers, 'unsafe_integer', 'data.0'],
    ["{'id': 9007199254740993}", object, 'unsafe_integer', 'data.id'],
    ['(9007199254740993)', any, 'unsafe_integer', 'data'],
    ['-9007199254740993', any, 'unsafe_integer', 'data'],
    ['010 + 5', integer, 'syntax', 'data'],
    ['-(-3)', integer, 'not_exact', 'data'],
    ['-(3)', integer, 'not_exact', 'data'],
    ['[-(3)]', integers, 'not_exact', 'data'],
  ] as [string, JsonSchema, string, string][])('refuses %s', (value, schema, code, place) => {
    expect(read(dialect, value, schema)).toMatchObject({ count: 1, result: code, place });
  });

  it.each([
    ['True', text, 'True'],
    ['False', text, 'False'],
    ['(True)', text, 'True'],
    ['[True, 1.50]', texts, ['True', '1.50']],
    ['(1.50)', text, '1.50'],
  ] as [string, JsonSchema, unknown][])('keeps %s as written for text', (value, schema, result) => {
    expect(read(dialect, value, schema)).toMatchObject({ result, repairs: [] });
  });

  it.each([
    ['007', text, '007'],
    ['-007', text, '-007'],
    ['[007, 08]', texts, ['007', '08']],
    ['9007199254740993', text, '9007199254740993'],
    ['True', { type: 'boolean' }, true],
    ['True', any, true],
    ['true', text, 'true'],
    ['None', { type: ['string', 'null'] }, null],
    ['0', any, 0],
    ['0.5', any, 0.5],
    ['-0.5', any, -0.5],
    ['0x1F', integer, 31],
    ['1_000', integer, 1000],
    ['1e3', any, 1000],
    ['-3', any, -3],
    ['(-3)', any, -3],
    ['(5)', integer, 5],
    ["'007'", any, '007'],
    ["['007']", any, ['007']],
    ["['1', '2']", integers, [1, 2]],
    ["'5'", integer, 5],
  ] as [string, JsonSchema, unknown][])('guard: reads %s exactly', (value, schema, result) => {
    expect(read(dialect, value, schema)).toMatchObject({ result, repairs: [] });
  });

  it.each([
    ['2024-01-05', text, 'syntax'],
    ['[08:30]', texts, 'syntax'],
    ['2 + 3', integer, 'not_exact'],
    ['9007199254740993', any, 'unsafe_integer'],
  ] as [string, JsonSchema, string][])('guard: still refuses %s', (value, schema, code) => {
    expect(read(dialect, value, schema).result).toBe(code);
  });
});

describe.each(told)('guard: a number alone fits in %s', (dialect) => {
  it('reads leading zeros as inferred', () => {
    expect(read(dialect, '{"a": 01}', counted)).toMatchObject({ result: 'not_exact', place: 'data.a' });
  });
});

describe('JSON in a Python string', () => {
  it.each([
    [`'["1", "2"]'`, integers, ['data.0', 'data.1']],
    [`'{"a": "5"}'`, counted, ['data.a']],
  ] as [string, JsonSchema, string[]][])('has types of its own: %s', (value, schema, inferred) => {
    expect(read('lfm2', value, schema)).toMatchObject({ result: 'not_exact', inferred });
  });
});

describe('numbers without quotes in gemma4', () => {
  it('names the leading zero as the reason', () => {
    expect(read('gemma4', '007', either).message).toContain('may be text or a number');
    expect(read('gemma4', '007', any).message).toContain('may be text or a number');
  });
  it('records a change of type in a list', () => {
    expect(read('gemma4', '[<|"|>1<|"|>]', integers)).toMatchObject({ result: 'not_exact', inferred: ['data.0'] });
  });
  it('guard: reads numbers and text exactly', () => {
    expect(read('gemma4', '[1, 2]', integers)).toMatchObject({ result: [1, 2], repairs: [] });
    expect(read('gemma4', '<|"|>007<|"|>', either)).toMatchObject({ result: '007', repairs: [] });
  });
});

describe('a dict in a prompted answer', () => {
  const properties = { either, data: object, name: text } as const;
  const apply = tool({ name: 'apply', description: 'Applies', inputSchema: { type: 'object', properties } });
  const first = (answer: string) => readCalls(answer, new Toolbox([apply]), { prompted: true }).calls[0];

  it.each([
    ["{'name': 'apply', 'arguments': {'either': 007}}", 'ambiguous'],
    ["{'name': 'apply', 'arguments': {'data': {'zip': 007}}}", 'ambiguous'],
    ["[{'name': 'apply', 'arguments': {'data': {'id': 9007199254740993}}}]", 'unsafe_integer'],
    ["{'apply': {'either': 007}}", 'ambiguous'],
  ])('refuses %s', (answer, code) => {
    expect(first(answer)).toMatchObject({ status: 'invalid', problems: [{ code }] });
  });

  it.each([
    ["{'name': 'apply', 'arguments': {'name': 007}}", { name: '007' }],
    ["{'name': 'apply', 'arguments': {'either': '007'}}", { either: '007' }],
    ["{'name': 'apply', 'arguments': {'either': 7, 'data': {'a': 0.5}}}", { either: 7, data: { a: 0.5 } }],
  ])('guard: reads %s', (answer, input) => {
    expect(first(answer)).toMatchObject({ input, problems: [] });
  });
});
