import { describe, expect, it } from 'vitest';
import { readPythonCalls } from './parse-call.ts';

const calls = (text: string) =>
  readPythonCalls(text).calls.map(({ name, positional, named }) => [name, positional, named]);
/** The value of one argument as it is read. */
const value = (written: string) => readPythonCalls(`f(a=${written})`).calls[0]?.named.a;

describe('values', () => {
  it.each<[written: string, read: unknown]>([
    ['1', 1],
    ['-2.5e3', -2500],
    ['.5', 0.5],
    ['0x1F', 31],
    ['0b101', 5],
    ['1_000', 1000],
    ['007', '007'],
    ['True', true],
    ['false', false],
    ['None', null],
    ['null', null],
    [`"it's"`, "it's"],
    [`'say "hi"'`, 'say "hi"'],
    [`'it\\'s'`, "it's"],
    [`"""two\nlines with "quotes" """`, 'two\nlines with "quotes" '],
    ['“Rome”', 'Rome'],
    [`r'\\d+\\n'`, '\\d+\\n'],
    [`u"x"`, 'x'],
    [`'a' + 'b'`, 'ab'],
    [`'\\d+'`, '\\d+'],
    [`'a\\_b\\/c'`, 'a_b/c'],
    [`'raw\nline'`, 'raw\nline'],
    [`"echo "hi""`, 'echo "hi"'],
    [`'the dogs' park'`, "the dogs' park"],
    ['[1, "a", [2], (3, 4), (5,), (6)]', [1, 'a', [2], [3, 4], [5], 6]],
    [`{'a': 1, "b": [None], c: {}, 1: 2}`, { a: 1, b: [null], c: {}, 1: 2 }],
    [`{'x', 'y'}`, ['x', 'y']],
    ['dict(a=1, b=[2])', { a: 1, b: [2] }],
    ['list((1, 2))', [1, 2]],
    ['[1, 2, # two\n 3,]', [1, 2, 3]],
    ['2*3+4', 10],
    ['2+3*4', 14],
    ['(2+3)*4', 20],
    ['-2**2', -4],
    ['2**3**2', 512],
    ['2**-1', 0.5],
    ['7//2 + 7%4', 6],
    ['-7 // 2', -4],
    ['10-4-3', 3],
    ['1/0', '1/0'],
    ['x**2', 'x**2'],
    ['lambda x, y: x*y', 'lambda x, y: x*y'],
    ['g(1, b=2)', 'g(1, b=2)'],
    ['math.pi', 'math.pi'],
    ['today() + timedelta(days=7)', 'today() + timedelta(days=7)'],
    ['[x for x in y]', '[x for x in y]'],
    ['rows[1:2]', 'rows[1:2]'],
    ['celsius', 'celsius'],
    ['New York', 'New York'],
    ['2023-10-12', '2023-10-12'],
    ['10:30', '10:30'],
    ['50%', '50%'],
    ['10km', '10km'],
    ['1.2.3', '1.2.3'],
    ['a == b', 'a == b'],
  ])('reads %s', (written, read) => {
    expect(value(written)).toEqual(read);
  });

  it.each([
    [`'a '\n 'b '\n 'c'`, 'a b c'],
    [`'\\x41\\u00e9\\U0001F600'`, 'Aé😀'],
  ])('guard: reads %j', (written, read) => {
    expect(value(written)).toBe(read);
  });
});

describe('calls', () => {
  it.each<[text: string, read: unknown]>([
    [
      '[f(a=1), g(b=2)]',
      [
        ['f', [], { a: 1 }],
        ['g', [], { b: 2 }],
      ],
    ],
    [
      'f(a=1)\n# then\ng(); h(1)',
      [
        ['f', [], { a: 1 }],
        ['g', [], {}],
        ['h', [1], {}],
      ],
    ],
    ['x = f(1, "two")', [['f', [1, 'two'], {}]]],
    ['r: dict = await a.b.f(x=1)', [['a.b.f', [], { x: 1 }]]],
    ['get\\_x(start\\_y=1)', [['get_x', [], { start_y: 1 }]]],
    ["f(a='x' b='y')", [['f', [], { a: 'x', b: 'y' }]]],
    ['f(a: int = 1, b: str="x")', [['f', [], { a: 1, b: 'x' }]]],
    ['f(a: 1, "b"=2)', [['f', [], { a: 1, b: 2 }]]],
    ["f(*[1, 2], **{'a': 1})", [['f', [1, 2], { a: 1 }]]],
    ['f(a=[1, 2)', [['f', [], { a: [1, 2] }]]],
    ['f(a=[1]], b=2)', [['f', [], { a: [1], b: 2 }]]],
    ['f (a=1)', [['f', [], { a: 1 }]]],
    ['no call', []],
    ['', []],
  ])('reads %s', (text, read) => {
    expect(calls(text)).toEqual(read);
  });

  it('stops at the first part that is not a call, and returns the rest', () => {
    const { calls, rest } = readPythonCalls('[f(a=1)] is what I would do: g()');
    expect(calls.map(({ name, start, end }) => [name, start, end])).toEqual([['f', 1, 7]]);
    expect(rest).toBe('is what I would do: g()');
  });

  it.each<[text: string, whole: boolean]>([
    ['f(a=1)', true],
    ['[f(a="x"', true],
    ['f(a={"b": "x"}', true],
    ['f(a=1', false],
    ['f(a="x', false],
    ['f(a="x",', false],
    ['f(a=["x"', false],
    ['f(', false],
    ['f(a=', false],
  ])('reports whether %s is truncated', (text, whole) => {
    expect(readPythonCalls(text).calls[0]?.whole).toBe(whole);
  });

  it('keeps the notation of numbers, and integers above 2^53 exactly', () => {
    const [call] = readPythonCalls('f(007, a=1.0, b=[1_000], c=12345678901234567890)').calls;
    if (!call) throw new Error('no call');
    expect(call.marks.get(call.positional, 0)?.literal).toBe('007');
    expect(call.marks.get(call.named, 'a')?.literal).toBe('1.0');
    expect(call.marks.get(call.named.b as object, 0)?.literal).toBe('1_000');
    expect(call.marks.get(call.named, 'c')).toEqual({ literal: '12345678901234567890', unsafe: true });
    expect(call.named.c).toBe('12345678901234567890');
  });

  it('reports a key with two values, and a forbidden key', () => {
    const problems = (text: string) => readPythonCalls(text).calls[0]?.problems.map(({ code }) => code);
    expect(problems('f(a=1, a=1)')).toEqual([]);
    expect(problems('f(a=1, a=2)')).toEqual(['duplicate_key']);
    expect(problems('f(__proto__=1)')).toEqual(['forbidden_key']);
  });

  it('doubts escapes that may be a pasted path or pattern, or a habit', () => {
    const faults = (text: string) => readPythonCalls(`f(a=${text})`).calls[0]?.expressions.map(({ fault }) => !!fault);
    for (const text of [`'C:\\temp'`, `"..\\new"`, `'\\bfoo\\b'`, `"a \\\`b\\\`"`])
      expect([text, faults(text)]).toEqual([text, [true]]);
    for (const text of [`'a\\nb'`, `"C:\\\\temp"`, `r'C:\\temp'`, `'\\$5'`])
      expect([text, faults(text)]).toEqual([text, []]);
  });
});
