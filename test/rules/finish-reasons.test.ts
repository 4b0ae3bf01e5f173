import { describe, expect, it } from 'vitest';
import { parseFinishReason } from '../../src/mend/finish-reason.ts';
import { mend } from '../../src/mend/mend.ts';
import { mendValue } from '../../src/mend/mend-value.ts';
import { anthropicMessages } from '../../src/provider/wire/anthropic/index.ts';
import { geminiContent } from '../../src/provider/wire/gemini/index.ts';
import { ollamaChat } from '../../src/provider/wire/ollama/index.ts';
import { openaiChat } from '../../src/provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../src/provider/wire/openai-responses/index.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const input = { type: 'object', properties: { text: { type: 'string' } } } as const;
const toolbox = new Toolbox([tool({ name: 'note', description: 'Notes a text', inputSchema: input })]);
const judged = (args: unknown, finishReason: string | null): string => {
  const outcome = mend({ name: 'note', arguments: args, finishReason }, toolbox);
  return outcome.status === 'invalid' ? outcome.errorType : outcome.status;
};

const limits = [
  'max_tokens',
  'MAX_TOKENS',
  'Max_Tokens',
  'max_output_tokens',
  'max-tokens',
  'maxTokens',
  'model_length',
  'incomplete',
  'INCOMPLETE',
  'LENGTH',
  'Length',
  'model_context_window_exceeded',
  'max_completion_tokens',
  'FINISH_REASON_MAX_TOKENS',
  'token_limit',
  'context_length_exceeded',
  'truncated',
  'content_filter',
  'error',
];

describe('a finish reason in the words of any provider', () => {
  it.each(limits)('%s refuses the call that is still open', (reason) => {
    expect(judged('{"text": "x"', reason)).toBe('truncated');
    expect(judged('', reason)).toBe('truncated');
  });

  const odd = limits.filter((reason) => !/^max_(output_)?tokens$|filter|error|^length$/i.test(reason));
  it.each(odd)('%s is recognized by the command line', (reason) => {
    expect(parseFinishReason(reason)).toBe('length');
  });

  it.each([
    [
      'openai-chat',
      (word: string) => openaiChat.readResponse({ choices: [{ message: { content: 'x' }, finish_reason: word }] }),
    ],
    [
      'anthropic',
      (word: string) => anthropicMessages.readResponse({ content: [{ type: 'text', text: 'x' }], stop_reason: word }),
    ],
    [
      'gemini',
      (word: string) =>
        geminiContent.readResponse({ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: word }] }),
    ],
    ['ollama', (word: string) => ollamaChat.readResponse({ message: { content: 'x' }, done: true, done_reason: word })],
    [
      'openai-responses',
      (word: string) =>
        openaiResponses.readResponse({ status: 'incomplete', incomplete_details: { reason: word }, output: [] }),
    ],
  ] as const)('is read by %s in every spelling', (_, read) => {
    const words = ['length', 'max_tokens', 'MAX_TOKENS', 'max_output_tokens', 'model_length', 'incomplete', 'Length'];
    expect(words.map((word) => read(word).finish)).toEqual(words.map(() => 'length'));
  });
});

describe('guard: other finish reasons, and complete calls', () => {
  it.each(['stop', 'tool_calls', 'end_turn', 'STOP', 'tool_use', 'completed', 'eos', 'function_call', null])(
    '%s does not refuse a call that lacks its last brace',
    (reason) => {
      expect(judged('{"text": "x"', reason)).toBe('mended');
    },
  );

  it.each([...limits, 'length'])('%s leaves a complete call unchanged', (reason) => {
    expect(judged('{"text": "x"}', reason)).toBe('ok');
  });
});

describe('a finish reason with structured output', () => {
  const open: readonly (readonly [text: string, schema: object])[] = [
    ['{"text": "x"', input],
    ['["a", "b"', { type: 'array' }],
    ['12', { type: 'integer' }],
    ['approved', { enum: ['approved', 'approved_with_changes'] }],
  ];
  it.each(limits)('%s refuses a value that is still open', async (finishReason) => {
    for (const [text, schema] of open) {
      expect(mendValue(text, schema, { finishReason })).toMatchObject({ problems: [{ code: 'truncated' }] });
      const chunks = async function* () {
        yield text;
      };
      const { result } = mendValue(chunks(), schema, { finishReason: () => finishReason });
      expect(await result).toMatchObject({ problems: [{ code: 'truncated' }] });
    }
  });
  it.each([...limits, 'stop', null])('guard: %s leaves a complete object unchanged', (finishReason) => {
    expect(mendValue('{"text": "x"}', input, { finishReason }).status).toBe('ok');
  });
  it.each(['stop', 'end_turn', 'STOP', 'completed', null])('guard: %s refuses none', (finishReason) => {
    expect(mendValue('{"text": "x"', input, { finishReason }).status).toBe('mended');
    expect(mendValue('12', { type: 'integer' }, { finishReason }).status).not.toBe('invalid');
  });
});
