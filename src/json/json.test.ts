import { describe, expect, it } from 'vitest';
import { readJson, readStrict } from './read-json.ts';
import { repairKinds } from './repair.ts';

/** Text, the value it is read as, and the repairs that took: all lossless, but for those marked with `?`. */
type Row = readonly [text: string, value: unknown, ...repairs: string[]];

const sorts: Readonly<Record<string, readonly Row[]>> = {
  'plain JSON': [
    ['{"a": 1}', { a: 1 }],
    ['[1, "x", null]', [1, 'x', null]],
    ['"text"', 'text'],
    ['5', 5],
    ['{}', {}],
  ],
  commas: [
    ['{"a": 1,}', { a: 1 }, 'comma'],
    ['[1, 2,]', [1, 2], 'comma'],
    ['{"a": 1,, "b": 2}', { a: 1, b: 2 }, 'comma?'],
    ['{, "a": 1}', { a: 1 }, 'comma?'],
    ['{"a": 1 "b": 2}', { a: 1, b: 2 }, 'comma'],
    ['{"a": "x"\n"b": "y"}', { a: 'x', b: 'y' }, 'comma?'],
    ['["a" "b"]', ['a', 'b'], 'comma?'],
    ['["a" 2]', ['a', 2], 'comma?'],
    ['[{"a":1} [2]]', [{ a: 1 }, [2]], 'comma'],
    ['[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }], 'comma'],
    ['{"a": "x"; "b": "y"}', { a: 'x', b: 'y' }, 'comma'],
    ['{"a": 1，"b": 2}', { a: 1, b: 2 }, 'comma'],
  ],
  colons: [
    ['{"a"： 1}', { a: 1 }, 'colon'],
    ['{"a" = "x"}', { a: 'x' }, 'colon'],
    ['{"a" => 1}', { a: 1 }, 'colon'],
  ],
  quotes: [
    ["{'a': 'b'}", { a: 'b' }, 'quote'],
    ['{“a”: “b”}', { a: 'b' }, 'quote'],
    ['{`a`: `b`}', { a: 'b' }, 'quote'],
    ["{'a': 'it\\'s'}", { a: "it's" }, 'quote', 'escape'],
    ["{'a': 'it's fine'}", { a: "it's fine" }, 'quote?'],
    ['{a": 1}', { a: 1 }, 'quote'],
    ['{"a: "x"}', { a: 'x' }, 'quote?'],
    ['{"a": x"}', { a: 'x' }, 'quote?'],
    ['{"a": """x\n"y" z"""}', { a: 'x\n"y" z' }, 'quote?'],
  ],
  'inner quotes': [
    ['{"a": "he said "hi" to me"}', { a: 'he said "hi" to me' }, 'inner_quote?'],
    ['{"a": "a 6" pipe", "b": 1}', { a: 'a 6" pipe', b: 1 }, 'inner_quote?'],
  ],
  'raw control characters': [
    ['{"a": "x\ny"}', { a: 'x\ny' }, 'newline'],
    ['{"a": "x\ty"}', { a: 'x\ty' }, 'newline'],
    ['{"a": "x\r\ny"}', { a: 'x\r\ny' }, 'newline'],
  ],
  escapes: [
    ['{"a": "\\d"}', { a: '\\d' }, 'escape'],
    ['{"a": "\\_"}', { a: '_' }, 'escape?'],
    ["{'a': '\\x1b[0m'}", { a: '\u001b[0m' }, 'quote', 'escape?'],
    ["{'a': 'one \\\ntwo'}", { a: 'one two' }, 'quote?'],
  ],
  'bare keys and values': [
    ['{a: 1}', { a: 1 }, 'quote'],
    ['{a-b: 1, c.d: 2}', { 'a-b': 1, 'c.d': 2 }, 'quote'],
    ['{"a": hello}', { a: 'hello' }, 'quote'],
    ['{"a": hello world}', { a: 'hello world' }, 'quote?'],
    ['{"a": https://example.com/x?y=1}', { a: 'https://example.com/x?y=1' }, 'quote?'],
    ['{"a": //server/share}', { a: '//server/share' }, 'quote'],
    ['{"a": #fff}', { a: '#fff' }, 'quote?'],
    ['[red, green]', ['red', 'green'], 'quote', 'quote'],
  ],
  'literals of Python and JavaScript': [
    ['{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }, 'literal', 'literal', 'literal'],
    ['{"a": undefined}', { a: null }, 'literal'],
    ['{"a": NaN}', { a: 'NaN' }, 'literal'],
    ['{"a": -Infinity}', { a: '-Infinity' }, 'literal'],
    ['{"a": (1, 2)}', { a: [1, 2] }, 'tuple'],
    ['{"a": (1,)}', { a: [1] }, 'tuple'],
    ['{"a": ()}', { a: [] }, 'tuple'],
  ],
  numbers: [
    ['{"a": 0x1F}', { a: 31 }, 'number?'],
    ['{"a": 0b101}', { a: 5 }, 'number?'],
    ['{"a": 0o17}', { a: 15 }, 'number?'],
    ['{"a": 1_000}', { a: 1000 }, 'number?'],
    ['{"a": 5.}', { a: 5 }, 'number?'],
    ['{"a": .5}', { a: 0.5 }, 'number?'],
    ['{"a": +5}', { a: 5 }, 'number?'],
    ['{"a": 007}', { a: '007' }, 'quote?'],
  ],
  comments: [
    ['{"a": 1 /* one */}', { a: 1 }, 'comment?'],
    ['{"a": 1, // one\n"b": 2}', { a: 1, b: 2 }, 'comment?'],
    ['{"a": 1, # one\n"b": 2}', { a: 1, b: 2 }, 'comment?'],
    ['{/* "b": 2, */"a": 1}', { a: 1 }, 'comment?'],
    ['{\n  // one\n  "a": 1\n}', { a: 1 }, 'comment'],
    ['{\n  /* one\n   two */\n  "a": 1\n}', { a: 1 }, 'comment'],
  ],
  'what stands around': [
    ['```json\n{"a": 1}\n```', { a: 1 }, 'fence'],
    ['Here it is: {"a": 1}', { a: 1 }, 'prose?'],
    ['{"a": 1} and that is all', { a: 1 }, 'prose?'],
    ['See [1] and {this}: {"a": 1}', { a: 1 }, 'prose?'],
    ['<think>{"a": 0}</think>{"a": 1}', { a: 1 }, 'reasoning'],
    ['{"a": 0}</think>{"a": 1}', { a: 1 }, 'reasoning'],
    ['{"a": 1}<|im_end|>', { a: 1 }, 'token'],
    ['\ufeff{"a": 1}', { a: 1 }, 'invisible'],
    ['{\u200b"a":\u00a01}', { a: 1 }, 'invisible', 'invisible'],
    ['{\u001b[31m"a"\u001b[0m: 1}', { a: 1 }, 'invisible', 'invisible'],
  ],
  brackets: [
    ['{"a": 1}}', { a: 1 }, 'extra_closer'],
    ['{"a": [1]]}', { a: [1] }, 'extra_closer'],
    ['{"a": {"b": true}', { a: { b: true } }, 'closer?'],
    ['{"a": [1, 2}', { a: [1, 2] }, 'closer?'],
    ['"a": 1, "b": 2}', { a: 1, b: 2 }, 'opener?'],
    ['{"a": 1}, "b": 2}', { a: 1, b: 2 }, 'extra_closer?'],
  ],
  repetition: [
    ['{"a": 1}\n{"a": 1}', { a: 1 }, 'duplicate'],
    ['{"a": 1, "a": 1}', { a: 1 }, 'duplicate'],
  ],
  'double encoding': [
    ['{\\"a\\": \\"x y\\"}', { a: 'x y' }, 'encoding'],
    ['{\\n  \\"a\\": 1\\n}', { a: 1 }, 'encoding'],
  ],
};

describe.each(Object.entries(sorts))('readJson reads %s', (_, rows) => {
  it.each(rows.map((row) => ({ row, text: JSON.stringify(row[0]) })))('$text', ({ row: [text, value, ...repairs] }) => {
    const reading = readJson(text);
    expect(reading.problems).toEqual([]);
    expect(reading.value).toEqual(value);
    expect(reading.repairs.map(({ kind, certainty }) => kind + (certainty === 'inferred' ? '?' : ''))).toEqual(repairs);
  });
});

const refusals: readonly (readonly [text: string, code: string, path: string])[] = [
  ['{"a": "x', 'truncated', 'a'],
  ['{"a": 1', 'truncated', 'a'],
  ['{"a', 'truncated', ''],
  ['{"a":', 'truncated', 'a'],
  ['{"a": "x",', 'truncated', ''],
  ['{"a": ["x"', 'truncated', 'a'],
  ['{"a": {', 'truncated', 'a'],
  ['{"a": 1 /* no end', 'truncated', ''],
  ['{"a": }', 'syntax', 'a'],
  ['{"a": , "b": 1}', 'syntax', 'a'],
  ['{"a": ...}', 'syntax', 'a'],
  ['[1,, 2]', 'syntax', ''],
  ['{"a": "\\u12"}', 'ambiguous', 'a'],
  ['{"a": 1}\n{"a": 2}', 'ambiguous', ''],
  ['["a "b", "c"]', 'ambiguous', '0'],
  ['{"a": "C:\\Users\\new"}', 'ambiguous', 'a'],
  ['{"a": one b: two}', 'ambiguous', 'a'],
  ['{"a": "C:\\\\temp\\", "b": "y"}', 'ambiguous', 'a'],
  ['{"a": "say \\"hi\\", "b": "y"}', 'ambiguous', 'a'],
  ['{"a": 1, "a": 2}', 'duplicate_key', 'a'],
  ['{"__proto__": 1}', 'forbidden_key', '__proto__'],
];

describe('readJson refuses', () => {
  it.each(refusals)('%j as %s', (text, code, path) => {
    const [problem] = readJson(text).problems;
    expect(problem).toMatchObject({
      code,
      path: path === '' ? [] : path.split('.').map((k) => (/^\d+$/.test(k) ? +k : k)),
    });
    expect(problem?.message).toMatch(path === '' ? /^Root object / : new RegExp(`^Field '${path}' `));
  });

  it.each([
    ['depth', { depth: 3 }, '[[[[1]]]]'],
    ['size', { size: 5 }, '{"a": 1}'],
    ['keys', { keys: 2 }, '[{"a": 1}, {"b": 1}, {"c": 1}]'],
  ])('what is past the limit of %s', (code, limits, text) => {
    expect(readJson(text, { limits }).problems.map((problem) => problem.code)).toEqual([code]);
    expect(readJson(text, { limits: { depth: 4, size: 30, keys: 3 } }).problems).toEqual([]);
  });

  it('anything open where the message was cut', () => {
    expect(readJson('{"a": true').problems).toEqual([]);
    expect(readJson('{"a": true', { truncated: true }).problems[0]?.code).toBe('truncated');
    expect(readJson('{"a": true}', { truncated: true }).problems).toEqual([]);
  });
});

it('readJson finds no value in text without one, and no problem either', () => {
  for (const text of ['', '   ', 'hello', 'see {this}'])
    expect(readJson(text)).toMatchObject({ value: undefined, problems: [] });
});

it('readJson keeps an integer past 2^53 as its literal, marked as unsafe', () => {
  const { value, marks } = readJson('{"a": 9007199254740993, "b": 1}');
  expect(value).toEqual({ a: '9007199254740993', b: 1 });
  expect(marks?.unsafe).toBe(true);
  expect(marks?.get(value as object, 'a')).toEqual({ literal: '9007199254740993', unsafe: true });
});

it('readJson keeps how a scalar was written, where its value does not say', () => {
  const { value, marks } = readJson('{"a": 1.50, "b": True, "c": 7,}');
  expect(marks?.get(value as object, 'a')?.literal).toBe('1.50');
  expect(marks?.get(value as object, 'b')?.literal).toBe('True');
  expect(marks?.get(value as object, 'c')).toBeUndefined();
});

it('readJson says where nesting was inferred', () => {
  expect(readJson('{"a": {"b": true}').nesting).toBe('inferred');
  expect(readJson('{"a": {"b": true},}').nesting).toBe('sure');
});

it('readJson chooses by what is wanted', () => {
  const text = 'From [1, 2]:\n[1, 2]\nwe get:\n{"a": 1}';
  expect(readJson(text, { want: 'object' }).value).toEqual({ a: 1 });
  expect(readJson(text, { want: 'array' }).value).toEqual([1, 2]);
});

it('readStrict takes what JSON.parse takes and hides nothing, and leaves the rest', () => {
  expect(readStrict('{"a": [1, "x"]}')).toEqual({ value: { a: [1, 'x'] }, repairs: [], problems: [], nesting: 'sure' });
  for (const text of ['{"a": 1,}', '{"a": 1, "a": 1}', '{"a": 9007199254740993}', '{"__proto__": 1}', ''])
    expect(readStrict(text)).toBeUndefined();
});

it('every repair it makes has words', () => {
  const kinds = Object.values(sorts).flatMap((rows) =>
    rows.flatMap(([text]) => readJson(text).repairs.map(({ kind }) => kind)),
  );
  for (const kind of kinds) expect(repairKinds[kind]).toMatch(/^[a-z]/);
});
