/** Python calls whose quotes, commas, colons or brackets are wrong: read as they were meant, or refused. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closed, integer, open, string, strings } from './mend-with.ts';

const number = { type: 'number' } as const;
const map = { type: 'object', additionalProperties: string } as const;
const numbers = { type: 'object', additionalProperties: number } as const;
const boxWith = (effect: Effect) =>
  new Toolbox(
    Object.entries({
      prices: closed({ prices: numbers }),
      plan: closed({ exposures: { type: 'array', items: closed({ filter: string, seconds: number }) } }),
      lines: closed({ items: strings, at: integer }),
      write: closed({ path: string, content: string }),
      site: closed({ options: closed({ site: string }) }),
      pay: closed({ amount: number }),
      send: closed({ url: string, headers: map, counts: numbers, tags: strings, body: string, timeout: integer }),
      apply: open({ items: { type: 'array', items: open({ id: string }) }, note: string, options: { type: 'object' } }),
    }).map(([name, inputSchema]) => tool({ name, description: name, inputSchema, effect })),
  );
const boxes = { write: boxWith('write'), destructive: boxWith('destructive') };
const ways = [
  { dialect: 'pythonic', wrap: (call: string) => `[${call}]` },
  { dialect: 'lfm2', wrap: (call: string) => `<|tool_call_start|>[${call}]<|tool_call_end|>` },
  { prompted: true, wrap: (call: string) => `[${call}]` },
];
/** The inputs that run, once each, in every notation. */
const ran = (call: string, effect: 'write' | 'destructive' = 'write') => [
  ...new Set(
    ways.flatMap(({ wrap, ...way }) => {
      const { calls } = readCalls(wrap(call), boxes[effect], way);
      const run = calls.filter(({ status }) => status !== 'invalid');
      return run.length > 0 ? run.map(({ input }) => JSON.stringify(input)) : ['refused'];
    }),
  ),
];
const expectRefused = (call: string) => {
  expect(ran(call)).toEqual(['refused']);
  expect(ran(call, 'destructive')).toEqual(['refused']);
};
const expectRead = (call: string, input: unknown) => expect(ran(call)).toEqual([JSON.stringify(input)]);
/** Inferred, so that a destructive tool refuses it. */
const expectInferred = (call: string, input: unknown) => {
  expectRead(call, input);
  expect(ran(call, 'destructive')).toEqual(['refused']);
};

describe('a key that swallowed text', () => {
  it.each([
    'prices(prices={"A-1" 4.99, "A-2": 199})',
    'prices(prices={"A-1: 4.99, "A-2": 199, "B 7": 0.5})',
    'prices(prices={""A-1": 4.99, "A-2": 199})',
    `prices(prices={"A-1': 4.99, "A-2": 199})`,
    String.raw`prices(prices={"A-1\": 4.99, "A-2": 199})`,
    'prices(prices={"A-1:" 4.99, "A-2": 199})',
    'prices(prices={"A\n-1": 4.99, "A-2": 199})',
    'prices(prices={"A " "B": 4.99})',
    'prices(prices={"A"| 3, "B": 4.99})',
    String.raw`prices(prices={'D:\new\Data': 4.99})`,
    'plan(exposures=[{"filter": "L", "seconds" 120}, {"filter": "Ha", "seconds": 300.5}])',
    'plan(exposures=[{"filter": "L", "seconds"[ 120}, {"filter": "Ha", "seconds": 300.5}])',
  ])('is refused: %j', expectRefused);
  it.each<[call: string, input: unknown]>([
    [String.raw`prices(prices={"27\" screen": 4.99, 'it\'s': 2})`, { prices: { '27" screen': 4.99, "it's": 2 } }],
    [String.raw`prices(prices={'a\nb': 1, "a, b: c": 2})`, { prices: { 'a\nb': 1, 'a, b: c': 2 } }],
  ])('guard: reads %j', (call, input) => {
    expectRead(call, input);
    expect(ran(call, 'destructive')).toEqual([JSON.stringify(input)]);
  });
});

describe('strings next to each other', () => {
  it.each([
    'lines(items=[\n  "install deps"\n  "run tests",\n  "deploy"\n], at=3)',
    'lines(items=["one "\n "two"], at=3)',
    'lines(items=["one\\n"\n "two"], at=3)',
    'lines(items=["one" # first\n "two"], at=3)',
    'write(path="a.vim", content="set nocompatible\n"\n" Maintainer: Jörg")',
    "write(path='a.txt', content='I keep on truckin'\n'cause I love you')",
    `write(path='a.txt', content='a'\n "b"\n 'c')`,
    'write(path="a", content="one\\n"\n"two\n"\n" three")',
  ])('are refused where a comma or an escape may be missing: %j', expectRefused);
  it.each<[call: string, content: string]>([
    ['write(path="a", content="one "\n  "two")', 'one two'],
    ['write(path="a", content="one\\n"\n  "two\\n"\n  "three")', 'one\ntwo\nthree'],
    ['write(path="a", content=("one"\n  "two"))', 'onetwo'],
  ])('guard: are joined where they can only be one text: %j', (call, content) => {
    expectInferred(call, { path: 'a', content });
  });
  it('guard: are joined in parentheses in a list', () => {
    expectInferred('lines(items=[("one "\n "two"), "three"], at=3)', { items: ['one two', 'three'], at: 3 });
  });
});

describe('a sign moved into the quotes before it', () => {
  it.each([
    'write(path="T-1," content="Re: Tasse")',
    "write(path='T-1;' content='Re: Tasse')",
    'site(options={"site": "Großer Feldberg}")',
    'lines(items=["a", "b]", at=3)',
    'write(path="a", content="b)"',
    'lines(at=3, items=["[WARN]")',
  ])('is refused: %j', expectRefused);
  it('guard: a missing sign that no text ends in is inferred', () => {
    expectInferred('write(path="T-1" content="Re: Tasse")', { path: 'T-1', content: 'Re: Tasse' });
    expectInferred('site(options={"site": "Feldberg")', { options: { site: 'Feldberg' } });
    expectRead('write(path="T-1,", content="b)")', { path: 'T-1,', content: 'b)' });
  });
});

describe('an argument in a list or dict whose bracket is missing', () => {
  it.each([
    'send(url="u", headers={"Accept": "*/*", body="hello")',
    'send(url="u", headers={"Accept": "*/*", body="hello", timeout=5)',
    'send(url="u", headers={"Accept": "*/*", body = "hello"})',
    'send(url="u", headers={body="hello", "Accept": "*/*"})',
    'send(url="u", headers={Accept="*/*", body="hello")',
    'send(url="u", headers={"Accept": "*/*", "body"="hello")',
    'send(url="u", counts={"a": 1, "b": 2, timeout=30)',
    'send(url="u", tags=["a", "b", body="hello")',
    'send(url: "u", headers: {"Accept": "*/*", body: "hello")',
    'send(url: "u", headers: {"Accept": "*/*", body: "hello"',
    'apply(items=[{"id": "1"}, {"id": "2"}, note="x")',
    'apply(items=[{"id": "1"}, {"id": "2", note="x"}])',
    'apply(items=[{"id": "1"}, note="x"])',
    'apply(items=[], options={"a": {"b": 1}, note="x")',
    'apply(items=[], options={"a": [1, 2, note="x")',
    'apply(items: [], options: {"a": {"b": 1}, note: "x")',
  ])('is refused: %j', expectRefused);
  it.each<[call: string, input: unknown]>([
    ['send(url="u", headers={"Accept": "*/*")', { url: 'u', headers: { Accept: '*/*' } }],
    ['send(url="u", headers={Accept: "*/*", body: "x")', { url: 'u', headers: { Accept: '*/*', body: 'x' } }],
    ['send(url="u", tags=["a", "b")', { url: 'u', tags: ['a', 'b'] }],
  ])('guard: other missing brackets are inferred: %j', expectInferred);
  it.each<[call: string, input: unknown]>([
    ['send(url="u", headers={"A": "b=c"}, body="{a=1")', { url: 'u', headers: { A: 'b=c' }, body: '{a=1' }],
    ['send(url="u", headers={Accept="*/*"}, body="x")', { url: 'u', headers: { Accept: '*/*' }, body: 'x' }],
    ['send(url: "u", headers: {Accept: "*/*"}, body: "x")', { url: 'u', headers: { Accept: '*/*' }, body: 'x' }],
  ])('guard: reads %j', expectRead);
});

describe('an operator between strings', () => {
  const operators = ['. ', ' | ', ' / ', ' - ', ' < ', ' @ ', ' ^ ', ' // ', ' is ', ' or ', ' == ', ' -> ', ' & '];
  it.each(operators)('is refused: %j', (operator) => {
    for (const [one, two] of [
      ['"DROP TABLE a;"', '"DROP TABLE b;"'],
      ['"a "', '" b"'],
      ["'(a)'", "'(b)'"],
    ]) {
      expectRefused(`lines(items=[${one}${operator}${two}], at=3)`);
      expectRefused(`write(path="a", content=${one}${operator}${two})`);
      expectRefused(`lines(items=[${one}${operator.trim()}${two}], at=3)`);
    }
  });
  it('guard: quotations are inferred', () => {
    expectInferred('lines(items=["a", "say "hi" now"], at=3)', { items: ['a', 'say "hi" now'], at: 3 });
    expectInferred('write(path="a", content="say "hi" now")', { path: 'a', content: 'say "hi" now' });
  });
});

describe('a superfluous or missing sign', () => {
  it.each([
    "write(path=\"a\", content='-5'')",
    `lines(items=['and''], at=3)`,
    'prices(prices={"a": ]7, "b": 3})',
    'prices(prices={"a": (7})',
    'lines(items=[#  SPDX-License-Identifier: MIT\n#, "zwei"], at=3)',
    'lines(items=[#tag, "zwei"], at=3)',
    'pay(amount=(1,210.50))',
    'pay(amount=1,210.50)',
    String.raw`write(path="a", content="\x -> y")`,
  ])('is refused: %j', expectRefused);
  it('guard: parentheses around a number change nothing', () => {
    expectRead('pay(amount=(1210.50))', { amount: 1210.5 });
    expectRead('pay(amount=(-5))', { amount: -5 });
    expect(ran('pay(amount=(1210.50))', 'destructive')).toEqual(['{"amount":1210.5}']);
  });
});

describe('a comment beside an argument', () => {
  it.each([
    'write(path="a" # see b), content="c"\n)',
    'write(path="a", # b)\n content="c")',
    'write(path="a" # , content="b"\n, content="c")',
    'write(path="a", content="c" # and content=x, path=y\n)',
    'lines(items=["a" # b], at=1\n])',
    'lines(items=["a", "b"], at=1 # )\n)',
    'lines(items=["a", "b"], at=1 # x, at=2\n)',
  ])('is refused if it holds what ends one: %j', expectRefused);
  it.each<[call: string, input: unknown]>([
    ['write(path="a", # the file (new)\n content="c")', { path: 'a', content: 'c' }],
    ['write(path="a", content="c" # 1) the text\n)', { path: 'a', content: 'c' }],
    ['lines(items=["a"], # see b]\n at=1)', { items: ['a'], at: 1 }],
  ])('guard: is read otherwise: %j', (call, input) => {
    expect(ran(call)).toContain(JSON.stringify(input));
  });
});
