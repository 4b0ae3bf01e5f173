/** An end token at the very end of a message is a word of its last sentence if a space precedes it and the sentence isn't over. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { effectTools } from './toolboxes.ts';

const ways = [{}, { prompted: true }, { dialect: 'hermes' }, { dialect: 'deepseek-v3' }, { dialect: 'mistral' }];
const textsOf = (text: string) =>
  ways.flatMap((options) =>
    [undefined, 1, 7].map((chunk) => readCalls(text, effectTools, { ...options, ...(chunk && { chunk }) }).text),
  );
const expectText = (text: string, expected: string) =>
  expect(textsOf(text)).toEqual(Array.from({ length: ways.length * 3 }, () => expected));

const mentions = [
  'The second one isn’t needed for Qwen: its tokenizer has no </s>',
  'Der Tokenizer von Qwen kennt kein </s>',
  '| Family | Token |\n| Qwen | <|im_end|>',
  'DeepSeek benutzt stattdessen <｜end▁of▁sentence｜>',
  'Qwen → <|im_end|>\nLlama 3 → <|eot_id|>',
  'The correct answer is B) </s>',
  '结束标记是 <|im_end|>',
  'The old name was </s>, the new one <|im_end|>',
  'In GPT-2 there is only one special token, namely <|endoftext|>',
  'Which token ends a turn in ChatML? <|im_end|>',
  'If generation never stops, the model probably lacks <|im_end|>',
  'The last token, at 7 %, </s>\n',
  // Nothing but the space shows whether the token is meant, and models write none before it.
  'I am done <|im_end|>',
  'Two of them exist, the second being\t<|eot_id|>',
];

describe('an end token after unfinished words', () => {
  it.each(mentions)('stays: %j', (text) => expectText(text, text));
});

describe('guard: an end token that ends the message', () => {
  it.each([
    'It is done.',
    'Stop!',
    'Fine …',
    'He said "yes".',
    'See (the docs)',
    'It is "done"',
    'All good 👍',
    '完成了。',
    'Use `ls`',
    '**Done.**',
    '[a link](https://example.com)',
    'f(x)',
  ])('is removed after a finished sentence and a space: %s', (text) => expectText(`${text} <|im_end|>`, `${text} `));

  it.each(['It is 42', 'What else?', 'the end', '| a | b |', 'B)'])('is removed directly after words: %s', (text) => {
    expectText(`${text}<|im_end|>`, text);
    expectText(`${text}\n<|im_end|>`, `${text}\n`);
  });

  it('is removed after a call', () => {
    const call = '<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n</tool_call>';
    expect(readCalls(`${call} <|im_end|>`, effectTools)).toMatchObject({ text: '', calls: [{ status: 'ok' }] });
    expect(readCalls(`I search it ${call} <|im_end|>`, effectTools, { dialect: 'hermes' }).text).not.toContain(
      'im_end',
    );
  });
});
