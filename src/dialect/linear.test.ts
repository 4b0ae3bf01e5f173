import { describe, expect, it } from 'vitest';
import { growthOf } from '../../test/cpu-of.ts';
import { workOf } from '../../test/work-of.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';
import { readCalls } from './read-calls.ts';

const toolbox = new Toolbox([tool({ name: 'write', description: 'Writes a file' })]);
const words = 'The quick brown fox, if it may, jumps over [1] the lazy dog; then a < b.\\n ';
const many = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length));

/** Texts that grow, honest and hostile. */
const texts: Readonly<Record<string, (size: number) => string>> = {
  prose: (size) => many(words, size),
  'a long string': (size) => `<tool_call>{"name": "write", "arguments": {"a": "${many(words, size)}"}}</tool_call>`,
  'a long tagged value': (size) => `<function=write><parameter=a>${many(words, size)}</parameter></function>`,
  'a long Python string': (size) => `<|tool_call_start|>[write(a="${many(words, size)}")]<|tool_call_end|>`,
  'reasoning with a call, never closed': (size) => `<think><tool_call>${many(words, size)}`,
  openers: (size) => many('<tool_call>', size),
  'blocks in blocks': (size) => many('<think><tool_call>', size),
  'closers in a value': (size) => `<function=write><parameter=a>${many('</parameter>', size)}`,
  'openers in a value': (size) => `<function=write><parameter=a>${many('<parameter=a>', size)}`,
  'white space in a marker': (size) => `<tool_call>${many(' ', size)}`,
  brackets: (size) => `<tool_call>${many('[', size)}`,
  'brackets of two kinds': (size) =>
    `<tool_call>{"name": "write", "arguments": ${many('[', size / 2)}${many('}', size / 2)}`,
  'bare objects': (size) => many('{"name":', size),
  fences: (size) => many('```', size),
  quotes: (size) => `<tool_call>{"name": "write", "arguments": {"a":${many('"', size)}`,
};

const read = (text: string, chunk: number): number =>
  workOf(() => {
    const reader = new CallReader(toolbox);
    for (let at = 0; at < text.length; at += chunk) reader.push(text.slice(at, at + chunk));
    reader.end();
  });

// What is made once, and kept, is no work of the text's.
read('<think>', 1);

describe.each(Object.entries(texts))('F7 %s', (_, make) => {
  const [small, large] = [4096, 16 * 4096];

  it.each([1, 3, 64, large * 2])('takes time proportional to the length, in pieces of %i', (chunk) => {
    expect(read(make(large), chunk)).toBeLessThan(20 * read(make(small), chunk));
  });

  it('takes at most ten times the work for single characters', () => {
    const text = make(small);
    expect(read(text, 1)).toBeLessThan(10 * read(text, text.length));
  });
});

/** Many faults of one kind: each must not cost what all texts before it cost. */
const faults: Readonly<Record<string, (count: number) => string>> = {
  'lists that nothing closes': (count) => many('<TOOLCALL>\n[{"name": "write", "arguments": {"a": "b"', 50 * count),
  'strings without their opening quote': (count) =>
    `<start_function_call>call:write{${many('a:b<escape>,', 50 * count)}}<end_function_call>`,
};

describe('F7 many faults take time proportional to their number', () => {
  it.each(Object.entries(faults))('%s', (_, make) => {
    const run = (count: number) => () => readCalls(make(count), toolbox);
    const { ratio, times } = growthOf(run(600), run(9600), { bar: 26, floor: 8 });
    expect(ratio, times.join(', ')).toBeLessThan(26);
  });
});

/** Texts without a closer, which are read again for every fault that they may have. */
const unclosed: Readonly<Record<string, (size: number) => string>> = {
  'quotes in a string': (size) => `<tool_call>{"name": "write", "arguments": {"content": "${many('"a" ', size)}`,
  'openers after another one': (size) => `<tool_call>${many('<invoke name="write">', size)}`,
  'openers in an invocation': (size) => `<invoke name="write">${many('<tool_call>', size)}`,
};

describe('F7 a long text without its closer is not read again', () => {
  it.each(Object.entries(unclosed))('%s', (_, make) => {
    const run = (size: number) => () => readCalls(make(size), toolbox);
    const { ratio, times } = growthOf(run(60_000), run(400_000), { bar: 4, floor: 8 });
    expect(ratio, times.join(', ')).toBeLessThan(4);
  });
});

/** Calls of a prompted model, all on one line. */
const onOneLine: Readonly<Record<string, string>> = {
  'calls in code': `\`write(a="b")\`${' '.repeat(100)}`,
  'calls in code with more between them': `\`write(a="b")\`${' '.repeat(400)}`,
  'calls in strong emphasis': `**write(a="b")**${' '.repeat(100)}`,
  'guard: statements': 'write(a="b"); ',
  'guard: lists': '[write(a="b")], ',
  'guard: objects': '{"name": "write", "arguments": {"a": "b"}} ',
};

describe('F7 many calls on one line take time proportional to their number', () => {
  it.each(Object.entries(onOneLine))('%s', (_, call) => {
    const run = (count: number) => () => readCalls(call.repeat(count), toolbox, { prompted: true });
    const { ratio, times } = growthOf(run(250), run(4000), { bar: 26, floor: 8 });
    expect(ratio, times.join(', ')).toBeLessThan(26);
  });

  it('a long gap takes time proportional to its length', () => {
    const run = (length: number) => () =>
      readCalls(`\`write(a="b")\`${' '.repeat(length)}\`write(a="c")\``, toolbox, { prompted: true });
    const { ratio, times } = growthOf(run(4000), run(64_000), { bar: 26, floor: 4 });
    expect(ratio, times.join(', ')).toBeLessThan(26);
  });
});
