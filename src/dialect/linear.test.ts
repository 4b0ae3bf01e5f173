import { describe, expect, it } from 'vitest';
import { workOf } from '../../test/work-of.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';

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
