/** Arguments behind the token of another speaker belong to that turn. */
import { describe, expect, it } from 'vitest';
import { closed, mendWith, string } from './mend-with.ts';

const schema = closed({ path: string });
const object = '{"path": "build"}';

describe('arguments after a token', () => {
  it.each([
    '<|user|>',
    '<|user|>\n',
    '<|user|>\n\n```json\n',
    '<|User|> ',
    '<｜User｜>',
    '<|USER_TOKEN|>',
    '<|im_user|>',
    '<|human|>',
    '<|prompter|>',
    '<|system|>',
    '<|im_system|>',
    '<|developer|>',
    '<|observation|>\n',
    '<|tool|>',
    '<|tool_response|>',
    '<|function_result|>',
    '<｜tool▁outputs▁begin｜>',
    '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>',
    '<|im_start|>user',
    '<|im_start|>user\n',
  ])('of another speaker are refused: %j', (token) => {
    const text = token + object + (token.includes('```') ? '\n```' : '');
    for (const effect of ['read', 'write', 'destructive'] as const)
      expect(mendWith(schema, text, { effect }).status).toBe('invalid');
  });

  it.each([
    '<|assistant|>\n',
    '<|tool_call|>',
    '<|tool_call_begin|>',
    '<|tool_calls_section_begin|>',
    '<｜tool▁call▁begin｜>',
    '<|function_call|>',
    '<|python_tag|>',
    '<|message|>',
    '<|begin_of_text|>',
    '<|START_ACTION|>',
  ])('guard: of the model or of calls are read: %j', (token) => {
    expect(mendWith(schema, token + object, { effect: 'destructive' }).input).toEqual({ path: 'build' });
  });

  it.each(['<|user|>', '\n<|observation|>', '<|im_end|>', '<|tool_response|>'])('guard: %j may end them', (token) => {
    expect(mendWith(schema, object + token, { effect: 'destructive' }).input).toEqual({ path: 'build' });
  });

  it('guard: a token in a text is text', () => {
    expect(mendWith(schema, '{"path": "<|user|>{}",}', { effect: 'destructive' }).input).toEqual({
      path: '<|user|>{}',
    });
  });
});
