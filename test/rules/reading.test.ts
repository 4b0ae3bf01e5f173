import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/schema/types.ts';
import { runs } from '../sample.ts';
import { boolean, closed, integer, mendWith, open, string, strings, told } from './mend-with.ts';

const anything: JsonSchema = open({});
const fields = closed({ a: string, b: string, n: integer, on: boolean, list: strings, inner: closed({ c: string }) });

type Fits = readonly [text: string, input: unknown, repairs: readonly string[]];
const expectMended = (schema: JsonSchema, text: string, input: unknown, repairs: readonly string[]) =>
  expect(told(mendWith(schema, text))).toEqual({ status: 'mended', input, repairs });
const expectRefused = (schema: JsonSchema, text: string, ...problems: readonly string[]) =>
  expect(told(mendWith(schema, text))).toMatchObject({
    status: 'invalid',
    errorType: problems.some((problem) => problem.startsWith('truncated')) ? 'truncated' : 'validation',
    problems,
  });

describe('Reading: Strict JSON.parse first', () => {
  it('Reading: what JSON.parse takes comes back as it is, with no repair', () => {
    const safe = fc
      .jsonValue({ depthSize: 'small', noUnicodeString: false })
      .filter((value) => !/"__proto__"/.test(JSON.stringify(value)) && !/\d{16}|e\+/.test(JSON.stringify(value)));
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), safe), (value) => {
        if (Object.hasOwn(value, '__proto__')) return;
        for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
          expect(told(mendWith(anything, text))).toEqual({ status: 'ok', input: JSON.parse(text), repairs: [] });
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it.each([
    '{"a": "```json {} ``` <think>x</think> <|im_end|> // no comment, }"}',
    '{"a": "{\\"n\\": 1}"}',
    '{"a": "True, None, it\'s (1, 2)"}',
  ])('Reading: what stands inside a string is no damage: %s', (text) => {
    expect(told(mendWith(fields, text))).toEqual({ status: 'ok', input: JSON.parse(text), repairs: [] });
  });
});

describe('Reading: Then a screen for what it hides', () => {
  const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  it.each([
    ['a repeated key', '{"a": 1, "a": 2}', 'duplicate_key a'],
    ['a repeated key further in', '{"x": [{"a": 1, "\\u0061": 2}]}', 'duplicate_key x.0.a'],
    ['an integer past 2^53', '{"a": 9007199254740993}', 'unsafe_integer a'],
    ['a negative one, in a list', '{"a": [1, -9007199254740993]}', 'unsafe_integer a.1'],
    ['__proto__', '{"__proto__": {"a": 1}}', 'forbidden_key __proto__'],
    ['__proto__ by escape', '{"x": {"\\u005f_proto__": 1}}', 'forbidden_key x.__proto__'],
  ])('Reading: the screen finds %s', (_, text, problem) => {
    expectRefused(anything, text, problem);
  });

  it('Reading: the screen finds depth and key count', () => {
    expect(told(mendWith(anything, deep(255)))).toMatchObject({ status: 'ok' });
    expect(told(mendWith(anything, deep(256)))).toMatchObject({ problems: [expect.stringMatching(/^depth/)] });
    const keys = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])));
    expect(told(mendWith(anything, keys(50), { policy: { limits: { keys: 50 } } }))).toMatchObject({ status: 'ok' });
    expect(told(mendWith(anything, keys(51), { policy: { limits: { keys: 50 } } }))).toMatchObject({
      problems: ['keys'],
    });
  });

  it('Reading: the largest safe integer passes', () => {
    expect(told(mendWith(anything, '{"a": 9007199254740991}'))).toMatchObject({ status: 'ok' });
  });
});

it('Reading: Equal repeated keys: lossless', () => {
  expectMended(fields, '{"a": "x", "n": 1, "a": "x"}', { a: 'x', n: 1 }, ['duplicate lossless']);
  expectMended(fields, '{"list": ["x"], "list": ["x"]}', { list: ['x'] }, ['duplicate lossless']);
});

it('Reading: Different repeated keys: problem duplicate_key, with both values', () => {
  const outcome = mendWith(fields, '{"a": "x", "a": "y"}');
  expect(told(outcome)).toMatchObject({ problems: ['duplicate_key a'] });
  expect(outcome.problems[0]?.received).toEqual(['x', 'y']);
});

describe('Reading: An unsafe integer is kept as its literal where only a string fits; otherwise it is a problem', () => {
  const literal = '12345678901234567890';
  it.each<[string, JsonSchema]>([
    ['string', string],
    ['string or null', { type: ['string', 'null'] }],
    ['a string that matches', { type: 'string', pattern: '^\\d+$' }],
  ])('Reading: kept whole: %s', (_, schema) => {
    expectMended(open({ id: schema }), `{"id": ${literal}}`, { id: literal }, ['type inferred']);
    expectMended(open({ ids: { type: 'array', items: schema } }), `{"ids": [${literal}]}`, { ids: [literal] }, [
      'type inferred',
    ]);
  });

  it.each<[string, JsonSchema]>([
    ['integer', integer],
    ['number', { type: 'number' }],
    ['string or integer', { type: ['string', 'integer'] }],
  ])('Reading: a problem: %s', (_, schema) => {
    expectRefused(open({ id: schema }), `{"id": ${literal}}`, 'unsafe_integer id');
  });

  it.each([
    ['id', `{"id": ${literal}}`],
    ['list.1', `{"list": ["a", ${literal}]}`],
    ['map.deep.0.id', `{"map": {"deep": [{"id": ${literal}}]}}`],
  ])('Reading: a problem where anything may come: %s', (path, text) => {
    expectRefused(open({ list: { type: 'array' }, map: { type: 'object' } }), text, `unsafe_integer ${path}`);
  });

  it('Reading: a problem where two forms of a union would let it through as text', () => {
    const either: JsonSchema = { anyOf: [{ type: 'array' }, { type: 'array', items: string }] };
    expectRefused(open({ ids: either }), `{"ids": [${literal}]}`, 'unsafe_integer ids.0');
  });

  it('Reading: a problem however much stands before it', () => {
    const before = '[1],'.repeat(150_000);
    const outcome = mendWith(open({ rows: { type: 'array' } }), `{"rows": [${before} [${literal}]]}`);
    expect(outcome).toMatchObject({ status: 'invalid' });
    expect(outcome.problems.every(({ code }) => code === 'unsafe_integer')).toBe(true);
  });
});

describe('Reading: Empty arguments, and null for all of them, are {}, unless the message ended by length', () => {
  it.each(['', '  \n', 'null', null])('Reading: %j is {}', (args) => {
    expectMended(anything, args as string, {}, ['empty lossless']);
  });
  it('Reading: no arguments at all are {}', () => {
    expect(told(mendWith(anything, undefined))).toEqual({ status: 'ok', input: {}, repairs: [] });
  });
  it.each(['', ' ', 'null', null, undefined])('Reading: %j by length is truncated', (args) => {
    expect(told(mendWith(anything, args, { finishReason: 'length' }))).toMatchObject({ errorType: 'truncated' });
  });
  it('Reading: {} still lacks what is required', () => {
    expectRefused(open({ a: string }, ['a']), '', 'required a');
  });
});

describe('Reading: Missing closers are inferred when the last token is complete', () => {
  it.each<Fits>([
    ['{"a": "x"', { a: 'x' }, ['closer inferred']],
    ['{"on": true', { on: true }, ['closer inferred']],
    ['{"list": ["x"]', { list: ['x'] }, ['closer inferred']],
    ['{"a": "x", "inner": {"c": "y"', { a: 'x', inner: { c: 'y' } }, ['closer inferred', 'closer inferred']],
    ['{"a": "x", "inner": {"c": "y"}', { a: 'x', inner: { c: 'y' } }, ['closer inferred']],
    ['{"inner": {}', { inner: {} }, ['closer inferred']],
  ])('Reading: closed: %s', (text, input, repairs) => expectMended(fields, text, input, repairs));

  it.each([
    ['a comma follows', '{"a": "x",', 'truncated'],
    ['a colon follows', '{"a":', 'truncated'],
    ['an array is open', '{"list": ["x"', 'truncated'],
    ['an array is open further out', '{"list": [{"a": "x"}', 'truncated'],
    ['a string is open', '{"a": "x', 'truncated'],
    ['a key is open', '{"a": "x", "li', 'truncated'],
    ['a key has no colon yet', '{"a": "x", "list"', 'truncated'],
    ['a number may go on', '{"n": 1', 'truncated'],
    ['a literal is cut', '{"on": tru', 'truncated'],
    ['an opener is the last token', '{"inner": {', 'truncated'],
    ['an opener is the last token', '{', 'truncated'],
    ['an opener is the last token', '{"list": [', 'truncated'],
  ])('Reading: truncated where %s: %s', (_, text) => {
    expect(told(mendWith(open({}), text))).toMatchObject({
      errorType: 'truncated',
      problems: [expect.stringMatching(/^truncated/)],
    });
  });

  it('Reading: with the message ended by length nothing is closed', () => {
    expect(told(mendWith(fields, '{"a": "x"', { finishReason: 'length' }))).toMatchObject({ errorType: 'truncated' });
  });

  it('Reading: A message that ended by length condemns only the call still open, not the finished ones', () => {
    expect(told(mendWith(fields, '{"a": "x"}', { finishReason: 'length' }))).toMatchObject({ status: 'ok' });
    expect(told(mendWith(fields, "{'a': 'x',}", { finishReason: 'length' }))).toMatchObject({ input: { a: 'x' } });
    expect(told(mendWith(fields, { a: 'x' }, { finishReason: 'length' }))).toMatchObject({ status: 'ok' });
  });

  it('Reading: Where a closer was inferred no key is dropped', () => {
    expect(told(mendWith(fields, '{"a": "x", "zzzzzz": true}'))).toMatchObject({ repairs: ['dropped inferred'] });
    expectRefused(fields, '{"a": "x", "zzzzzz": true', 'unknown zzzzzz');
  });

  it('Reading: An undeclared key in an object closed that way is a problem, for it may belong outside', () => {
    expectRefused(fields, '{"inner": {"c": "y", "b": "z"}', 'unknown inner.b');
    const loose = open({ inner: open({ c: string }), b: string });
    expectRefused(loose, '{"inner": {"c": "y", "b": "z"}', 'unknown inner.b');
    expect(told(mendWith(loose, '{"inner": {"c": "y", "b": "z"}}'))).toMatchObject({ status: 'ok' });
  });
});

describe('Reading: Fences, think blocks and special tokens around one object are lossless, prose is inferred', () => {
  const input = { a: 'x' };
  const framed = (text: string, kind: string): void => {
    const outcome = mendWith(fields, text);
    expect(outcome).toMatchObject({ status: 'mended', input });
    expect(outcome.repairs.map((repair) => repair.kind)).toContain(kind);
    for (const { kind: one, certainty } of outcome.repairs)
      expect(certainty).toBe(one === 'prose' ? 'inferred' : 'lossless');
  };
  it.each([
    ['Sure, here you go: {"a": "x"}', 'prose'],
    ['{"a": "x"}\nLet me know if that helps!', 'prose'],
    ['As in [1] and {this} (see above): {"a": "x"}.', 'prose'],
  ])('Reading: %s', (text, kind) => framed(text, kind));
  it.each([
    ['```json\n{"a": "x"}\n```', 'fence'],
    ['<think>Shall it be {"a": "y"}?</think>\n{"a": "x"}', 'reasoning'],
    ['I think {"a": "y"} is wrong</think>{"a": "x"}', 'reasoning'],
    ['{"a": "x"}<|im_end|>', 'token'],
    ['<|start|>{"a": "x"}<|call|>', 'token'],
    ['\ufeff{"a": "x"}', 'invisible'],
  ])('guard: Reading: %s', (text, kind) => framed(text, kind));

  it('guard: Reading: the same object twice is one call, two different objects are none', () => {
    expectMended(fields, '{"a": "x"}\n{"a": "x"}', input, ['duplicate lossless']);
    expectRefused(fields, '{"a": "x"}\n{"a": "y"}', 'ambiguous');
    expectRefused(fields, 'Either {"a": "x"} or {"b": "x"}', 'ambiguous');
  });
});

describe('Reading: Text after the object that holds a key and a colon, or ends in a quote and a closer, is not prose', () => {
  it('Reading: an early closer was too many', () => {
    expectMended(fields, '{"a": "x"}, "b": "y"}', { a: 'x', b: 'y' }, ['extra_closer inferred']);
  });

  it.each([
    '{"a": "x"} and "b": "y"',
    '{"inner": {"c": "1"}, "a": "x"}, "b": "y"}',
    '{"a": "x"}, "b": "y"}, "n": 1}',
    '{"n": 1} then "more"}',
  ])('Reading: if that has no single reading the call is invalid: %s', (text) => {
    expect(told(mendWith(fields, text))).toMatchObject({ status: 'invalid' });
  });
});

describe('Reading: Unescaped inner quotes', () => {
  it.each<Fits>([
    ['{"a": "she said "hi" to me", "b": "y"}', { a: 'she said "hi" to me', b: 'y' }, ['inner_quote inferred']],
    ['{"a": "a 6" pipe", "b": "y"}', { a: 'a 6" pipe', b: 'y' }, ['inner_quote inferred']],
    ['{"list": ["the "x" key", "z"]}', { list: ['the "x" key', 'z'] }, ['inner_quote inferred']],
  ])('Reading: read where there is one reading: %s', (text, input, repairs) =>
    expectMended(fields, text, input, repairs),
  );

  it('Reading: a string whose closing quote ends the text is open, so truncated', () => {
    expect(told(mendWith(fields, '{"a": "she said "hi"'))).toMatchObject({ errorType: 'truncated' });
    expect(told(mendWith(fields, '{"a": "she said "hi" there"'))).toMatchObject({ errorType: 'truncated' });
  });

  it('Reading: in a list they are read only where they pair up within each item', () => {
    expect(told(mendWith(fields, '{"list": ["a 6" pipe", "z"]}'))).toMatchObject({ status: 'invalid' });
    expect(told(mendWith(fields, '{"list": ["say "x", "y" now"]}'))).toMatchObject({ status: 'invalid' });
  });
});

describe('Reading: An invalid escape alone keeps its backslash', () => {
  it.each<Fits>([
    ['{"a": "\\d+\\.ts"}', { a: '\\d+\\.ts' }, ['escape lossless']],
    ['{"a": "snake\\_case"}', { a: 'snake_case' }, ['escape inferred']],
  ])('Reading: %s', (text, input, repairs) => expectMended(fields, text, input, repairs));

  it.each(['n', 't', 'r', 'b', 'f'])('Reading: beside \\%s in one string it has two readings: a problem', (char) => {
    expectRefused(fields, `{"a": "C:\\Users\\${char}ew"}`, 'ambiguous a');
    expectRefused(fields, `{"a": "x\\${char}ew\\d"}`, 'ambiguous a');
  });
});

it('Reading: Keys equal after folding count as repeated keys when both are given', () => {
  const user = closed({ user_name: string });
  expectMended(user, '{"user_name": "a", "userName": "a"}', { user_name: 'a' }, ['duplicate inferred']);
  expectRefused(user, '{"user_name": "a", "userName": "b"}', 'duplicate_key user_name');
  expectRefused(user, '{"userName": "a", "UserName": "b"}', 'duplicate_key user_name');
  expectRefused(open({ user_name: string }), '{"user_name": "a", "userName": "b"}', 'duplicate_key user_name');
});

it('Reading: NaN and infinities are text, undefined is null', () => {
  const text = '{"a": NaN, "b": -Infinity, "list": [Infinity]}';
  expect(mendWith(fields, text)).toMatchObject({ input: { a: 'NaN', b: '-Infinity', list: ['Infinity'] } });
  expectRefused(fields, '{"n": NaN}', 'type n');
  expect(mendWith(open({ a: { type: ['string', 'null'] } }), '{"a": undefined}')).toMatchObject({ input: { a: null } });
});

describe('Reading: key: value lines are arguments only when every key is declared', () => {
  it.each<Fits>([
    ['a: some text\nn: 5', { a: 'some text', n: 5 }, ['lines inferred', 'type inferred']],
    ['a=x\nb="y, z"', { a: 'x', b: 'y, z' }, ['lines inferred']],
  ])('Reading: %j', (text, input, repairs) => expectMended(fields, text, input, repairs));

  it('guard: reads a boolean', () =>
    expectMended(fields, 'a: x\non: true', { a: 'x', on: true }, ['lines inferred', 'type inferred']));

  it.each(['a: x\nzzz: 5', 'Note: a is x', 'zzz=1', 'nothing here', '- a: x\n- on: true'])(
    'Reading: refused: %j',
    (text) => {
      expectRefused(fields, text, 'syntax');
    },
  );
});
