/** Calls after a question depend on its answer, also if words, other calls or the numbers of a list are between them. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } as const;
const named = (name: string, effect: Effect) => tool({ name, description: name, effect, inputSchema });
const toolbox = new Toolbox([named('get', 'read'), named('grant', 'write'), named('drop', 'destructive')]);

const hermes = (name: string, id: string): string =>
  `<tool_call>\n{"name": "${name}", "arguments": {"id": "${id}"}}\n</tool_call>`;
const qwen = (name: string, id: string): string =>
  `<tool_call>\n<function=${name}>\n<parameter=id>\n${id}\n</parameter>\n</function>\n</tool_call>`;
const glm = (name: string, id: string): string =>
  `<tool_call>${name}\n<arg_key>id</arg_key>\n<arg_value>${id}</arg_value>\n</tool_call>`;

/** The names of the calls that run, read whole and in pieces. */
function ran(text: string, options: Parameters<typeof readCalls>[2] = {}): string[] {
  const names = (chunk?: number): string[] =>
    readCalls(text, toolbox, { ...options, ...(chunk && { chunk }) })
      .calls.filter(({ status }) => status !== 'invalid')
      .map(({ name }) => name);
  for (const chunk of [1, 7]) expect(names(chunk)).toEqual(names());
  return names();
}

describe.each(Object.entries({ hermes, qwen, glm }))('several calls after a question, %s', (_, call) => {
  it.each(['\n\n', '\n- ', '\n* ', '\n• ', '\n---\n', '\nor\n', '\noder\n', '\n2. '])('with %j between them', (gap) => {
    const calls = [call('grant', 'a'), call('grant', 'b'), call('grant', 'c')].join(gap);
    for (const question of ['Shall I grant both?', 'Which one should I grant?', '¿Cuál prefieres?', 'どれにしますか。'])
      for (const first of ['\n\n', '\n- ', '\n1. ']) expect(ran(question + first + calls)).toEqual([]);
  });
});

describe('a destructive call after a question, with the dialect named', () => {
  it.each(['1. ', '1) ', 'a) ', '**1.** ', '(1) ', 'Option 1: ', '1. Call: '])('after the label %j', (label) => {
    const options = `${label}${hermes('drop', 'a')}\n${label.replace('1', '2')}${hermes('get', 'a')}`;
    for (const gap of ['\n', '\n\n'])
      expect(ran(`What should I do with it?${gap}${options}`, { dialect: 'hermes' })).not.toContain('drop');
  });

  it.each(['get', 'grant', 'drop'])('after a call of %s', (name) => {
    for (const gap of ['\nand\n', '\n- ', '\n\n'])
      expect(
        ran(`Shall I do both?\n\n${hermes(name, 'a')}${gap}${hermes('drop', 'b')}`, { dialect: 'hermes' }),
      ).not.toContain('drop');
  });
});

describe('guard: other calls run', () => {
  it.each([
    ['after an answer', `What is its id? I will look it up.\n${hermes('get', 'a')}\n\n${hermes('grant', 'b')}`],
    ['after reasoning', `<think>Should I get it?</think>\n${hermes('get', 'a')}\n\n${hermes('grant', 'b')}`],
    ['after a statement', `Both are due.\n\n${hermes('get', 'a')}\n\n${hermes('grant', 'b')}`],
  ])('%s', (_, text) => {
    expect(ran(text)).toEqual(['get', 'grant']);
  });

  it('of a tool that writes, with the dialect named', () => {
    expect(ran(`Shall I?\n${hermes('grant', 'a')}`, { dialect: 'hermes' })).toEqual(['grant']);
  });
});
