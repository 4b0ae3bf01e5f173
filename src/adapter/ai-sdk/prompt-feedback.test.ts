import { describe, expect, it } from 'vitest';
import type { CallOptions, Prompt, PromptCall, PromptResult } from './options.ts';
import { promptFeedback } from './prompt-feedback.ts';
import { type VisibleTools, visibleTools } from './visible-tools.ts';

const tools: CallOptions['tools'] = [
  {
    type: 'function',
    name: 'read_file',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  { type: 'provider', id: 'acme.shell', name: 'shell', args: {} },
];

const call = (input: unknown, more: Partial<PromptCall> = {}): PromptCall => ({
  type: 'tool-call',
  toolCallId: 'c1',
  toolName: 'read_file',
  input,
  ...more,
});

const result = (output: PromptResult['output'], more: Partial<PromptResult> = {}): PromptResult => ({
  type: 'tool-result',
  toolCallId: 'c1',
  toolName: 'read_file',
  output,
  ...more,
});

const error = (value: string): PromptResult['output'] => ({ type: 'error-text', value });

const history = (one: PromptCall, its: PromptResult): Prompt => [
  { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  { role: 'assistant', content: [{ type: 'text', text: 'I look.' }, one] },
  { role: 'tool', content: [its] },
];

function told(one: PromptCall, its: PromptResult): { call: unknown; result: unknown; same: boolean } {
  const params = { prompt: history(one, its), ...(tools && { tools }) };
  const out = promptFeedback(params, visibleTools(params, {}) as VisibleTools);
  return { call: out.prompt[1]?.content[1], result: out.prompt[2]?.content[0], same: out === params };
}

const missing =
  "Parameter validation failed:\n\n1. Field 'path' is required but missing\n\nPlease fix the parameters and try again.";

describe('tellPrompt', () => {
  it.each([
    ['a good call', call({ path: 'a.ts' }), result({ type: 'text', value: 'It is empty.' })],
    ['a tool that failed by itself', call({ path: 'a.ts' }), result(error('No such file'))],
    [
      "a call of the provider's own tool",
      call('ls', { toolName: 'shell' }),
      result(error('Invalid input for tool shell: no'), { toolName: 'shell' }),
    ],
    [
      'a tool that is no longer there',
      call({}, { toolName: 'gone' }),
      result({ type: 'text', value: 'Fine.' }, { toolName: 'gone' }),
    ],
  ])('leaves the prompt unchanged after %s', (_, one, its) => {
    expect(told(one, its).same).toBe(true);
  });

  it.each([
    ['Invalid input for tool read_file: Type validation failed: Value: {}.', missing],
    ['AI_InvalidToolInputError: Invalid input for tool read_file: Type validation failed: Value: {}.', missing],
  ])('replaces the message of the SDK with our feedback: %s', (words, ours) => {
    expect(told(call({}), result(error(words)))).toMatchObject({ call: call({}), result: { output: error(ours) } });
  });

  it('finds the feedback by the metadata of a call, and hides the metadata from providers', () => {
    const carried = { toolmend: { input: '{"path": "a.t', finish: 'length' }, acme: { id: 1 } };
    const one = told(
      call({}, { providerOptions: carried }),
      result(error('An error occurred.'), { providerOptions: carried }),
    );
    expect(one.call).toEqual(call({}, { providerOptions: { acme: { id: 1 } } }));
    expect(one.result).toMatchObject({
      output: { value: expect.stringContaining('cut off by the output token limit') },
    });
    expect(JSON.stringify(one)).not.toContain('toolmend');
  });

  it('C19 mends or replaces arguments that are not an object, and changes nothing else', () => {
    const its = result({ type: 'text', value: 'It is empty.' });
    expect(told(call("{path: 'a.ts',}"), its)).toMatchObject({ call: call({ path: 'a.ts' }), result: its });
    expect(told(call('{"path": "a.t'), its)).toMatchObject({ call: call({}), result: its });
  });

  it.each([
    [
      { type: 'text', value: 'Fine.' },
      { type: 'text', value: 'Fine.\nNote: n' },
    ],
    [
      { type: 'json', value: { a: 1 } },
      { type: 'text', value: '{"a":1}\nNote: n' },
    ],
    [
      { type: 'error-json', value: ['b'] },
      { type: 'error-text', value: '["b"]\nNote: n' },
    ],
    [
      { type: 'content', value: [] },
      { type: 'content', value: [{ type: 'text', text: 'Note: n' }] },
    ],
    [{ type: 'execution-denied' }, { type: 'execution-denied' }],
  ] as [PromptResult['output'], unknown][])('adds a note to %j', (output, expected) => {
    const one = told(call({ path: 'a.ts' }, { providerOptions: { toolmend: { note: 'n' } } }), result(output));
    expect(one.result).toEqual({ ...result(output), output: expected });
  });
});
