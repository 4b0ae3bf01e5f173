/** Sentences about reasoning tags that start a message and go on over lines are text to the character; closed reasoning is not. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const toolbox = new Toolbox([tool({ name: 'restart', description: 'Restarts', effect: 'write', inputSchema })]);
const call = '<tool_call>{"name": "restart", "arguments": {"name": "x"}}</tool_call>';
const read = (written: string, dialect?: string) => {
  const [whole, ...others] = [undefined, 1, 7].map((chunk) => {
    const { text, reasoning, calls } = readCalls(written, toolbox, {
      ...(dialect && { dialect }),
      ...(chunk && { chunk }),
    });
    return { text, ...(reasoning && { reasoning }), calls: calls.map(({ name }) => name) };
  });
  for (const other of others) expect(other).toEqual(whole);
  return whole;
};

describe('rule 6: a sentence about the tags stays', () => {
  it.each([
    '<think> starts it.\nAnd the model ends with </think>.',
    '<think> opens reasoning;\n</think> closes it.',
    '<think> starts it.\n\nThen comes </think>, and it is over.',
    '<think> opens it,\n"</think>" ends it.',
    '<think> opens it and\n`</think>` ends it.',
    '<think> is the tag\nthat </think> closes soon!',
    '<think> is never closed here,\nsince the model forgets it.',
    `<think> starts it, a call is\n${call}\nand </think>. That is all.`,
  ])('%j', (written) => {
    for (const dialect of [undefined, 'hermes', 'qwen3-coder'])
      expect(read(written, dialect)).toEqual({ text: written, calls: [] });
  });
});

describe('guard: reasoning that is closed at the start', () => {
  it.each([
    ['<think> hm, so\nfoo </think>\n\nHi', ' hm, so\nfoo ', 'Hi', []],
    ['<think> so it is.\nok. </think> sure, hi', ' so it is.\nok. ', 'sure, hi', []],
    ['<think> so, wait.\nok</think>I am fine.', ' so, wait.\nok', 'I am fine.', []],
    ['<think>\nfoo\n</think>\nAnswer', '\nfoo\n', 'Answer', []],
    [`<think> so it is\n</think>\n${call}`, ' so it is\n', '', ['restart']],
    [`<think> so it is\n</think>\nOk.\n${call}`, ' so it is\n', 'Ok.\n', ['restart']],
    ['<think> a\nb </think>', ' a\nb ', '', []],
  ] as const)('%j', (written, reasoning, text, calls) => {
    for (const dialect of [undefined, 'hermes']) expect(read(written, dialect)).toEqual({ text, reasoning, calls });
  });
});
