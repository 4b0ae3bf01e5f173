/** An answer without calls leaves as it came, but for reasoning closed at its start, frames, and end tokens at its end. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const toolbox = new Toolbox([
  tool({
    name: 'search',
    description: 'Searches',
    effect: 'read',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  }),
]);
const read = (written: string, dialect: string | undefined, chunk?: number) => {
  const { text, reasoning, calls } = readCalls(written, toolbox, {
    ...(dialect && { dialect }),
    ...(chunk && { chunk }),
  });
  return { text, reasoning, calls: calls.length };
};
const call = '<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n</tool_call>';

describe('names of frames in prose are text', () => {
  it.each([
    ['thought\n/θɔːt/ noun\n\n1. an idea', undefined],
    ['thought\nis the first word in the channel', 'gemma4'],
    ['Thought: is a label, and Final Answer: ends the loop.', 'react'],
    ['Here are my reasoning steps: one, two.', 'apriel'],
    ['The message has channels. <|channel|>final<|message|> starts the answer.', undefined],
    ['It separates channels. <|channel|>analysis<|message|> holds the reasoning.', undefined],
    ['<|channel|>analysis<|message|> holds the reasoning; <|channel|>final<|message|> holds the answer.', undefined],
    ['A message begins.\n\n<|start|>assistant<|channel|>final<|message|>\n\nand the text comes after.', undefined],
    ['In the log:\n\n<|start|>assistant<|channel|>analysis<|message|>Weather.<|end|>\n\nSo it thought.', undefined],
    ['<|start|> opens a message, <|end|> closes it.', undefined],
    ['It has tokens. <|start|> begins. <|end|> ends it. <|return|> ends the answer.', undefined],
    ['<|eot_id|> ends a turn, <|eom_id|> ends a message.', undefined],
    ['</s> is the end token.', undefined],
    ['[THINK] and [/THINK] wrap the reasoning.', undefined],
    ['<think> and </think> wrap the reasoning. Remove them.', undefined],
    ['<|START_THINKING|> opens the reasoning, <|END_THINKING|> closes it.', undefined],
    ['First line.\n\n<think>\nquote\n</think>\n\nLast line.', 'hermes'],
    ['The closer </think> is missing in your template.', 'hermes'],
    ['The frame <|START_RESPONSE|> is opened and <|END_RESPONSE|> closes it.', 'cohere-cmd3'],
    ['[/THINK] closes, [THINK] opens.', 'mistral'],
    ['The token </s> ends the turn, [TOOL_CALLS] starts calls.', 'mistral'],
    ['Split at [BEGIN FINAL RESPONSE] and drop [END FINAL RESPONSE].', 'apriel'],
    ['<response> is the tag around answers, </response> closes it.', 'ernie45'],
    ['The tag you need is <tool', 'hermes'],
  ])('%j in %s', (written, dialect) => {
    for (const chunk of [undefined, 1, 7])
      expect(read(written, dialect, chunk)).toEqual({ text: written, reasoning: undefined, calls: 0 });
  });
  it.each([['<|im_end|> is the end token.', undefined]])('guard: %j in %s', (written, dialect) => {
    for (const chunk of [undefined, 1, 7])
      expect(read(written, dialect, chunk)).toEqual({ text: written, reasoning: undefined, calls: 0 });
  });
});

describe('guard: frames, reasoning and end tokens are not text', () => {
  it.each([
    ['<think>Okay, so the user wants it.</think>\n\nYes.', undefined, 'Yes.', 'Okay, so the user wants it.'],
    ['<think> okay, so\nthe user wants it </think> yes.', undefined, 'yes.', ' okay, so\nthe user wants it '],
    ['thought\nThe user asks.<channel|>It is warm.', 'gemma4', 'It is warm.', 'The user asks.'],
    ['Thought: I know it.\nFinal Answer: 42', 'react', '42', ' I know it.'],
    [
      '<|channel|>analysis<|message|>We know.<|end|><|start|>assistant<|channel|>final<|message|>Hi.<|return|>',
      undefined,
      'Hi.',
      'We know.',
    ],
    ['It is done.</s>', undefined, 'It is done.', undefined],
    ['It is done.<|im_end|>\n', 'hermes', 'It is done.', undefined],
    ['<|START_RESPONSE|>Hi.<|END_RESPONSE|>', 'cohere-cmd3', 'Hi.', undefined],
  ])('%j in %s', (written, dialect, text, reasoning) => {
    for (const chunk of [undefined, 1, 7]) {
      const found = read(written, dialect, chunk);
      expect({ ...found, text: found.text.trim() }).toEqual({ text, reasoning, calls: 0 });
    }
  });
  it.each([
    [`I should search.\n</think>\n\n${call}`, 'hermes'],
    [`Thought: I should search.\nAction: search\nAction Input: {"query": "a"}`, 'react'],
    [`<think>so</think>${call}<|im_end|>`, undefined],
  ])('calls after them: %j', (written, dialect) => {
    for (const chunk of [undefined, 1, 7]) expect(read(written, dialect, chunk).calls).toBe(1);
  });
});
