import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { readCalls } from './read-calls.ts';

const named = (name: string, properties: object) =>
  tool({
    name,
    description: 'Does one thing',
    inputSchema: { type: 'object', properties },
    execute: () => '',
  } as never);
const shell = named('run_shell_command', { command: { type: 'string' } });
const object = '{"name": "run_shell_command", "arguments": {"command": "ls"}}';
const tagged = '<function=run_shell_command>\n<parameter=command>\nls\n</parameter>\n</function>';

const texts = [
  ['a marked object', `<tool_call>\n${object}\n</tool_call>`],
  ['a marked object that is never closed', `<tool_call>\n${object}`],
  ['two marked objects', `<tool_call>\n${object}\n</tool_call>\n<tool_call>\n${object}\n</tool_call>`],
  ['a tagged call', `<tool_call>\n${tagged}\n</tool_call>`],
  ['a tagged call alone', tagged],
  [
    'a list of invocations',
    '<function_calls>\n<invoke name="run_shell_command">\n<parameter name="command">ls</parameter>\n</invoke>\n</function_calls>',
  ],
] as const;
const envelopes = ['tool_call', 'tool_calls', 'function', 'function_call', 'function_calls', 'invoke'];
const shapes = [
  ['the fields of an envelope', { name: { type: 'string' }, arguments: { type: 'object' } }],
  ['other fields', { tool: { type: 'string' } }],
] as const;

describe('guard: a tool with the name of an envelope', () => {
  for (const [what, properties] of shapes)
    for (const name of envelopes)
      it.each(texts)(`${name} with ${what} hides no call in %s`, (_, text) => {
        const toolbox = new Toolbox([named(name, properties), shell]);
        for (const chunk of [1, 7, text.length])
          for (const { name: called, status, input } of readCalls(text, toolbox, { chunk }).calls)
            expect([called, status === 'invalid', input]).toEqual(['run_shell_command', false, { command: 'ls' }]);
        expect(readCalls(text, toolbox).calls.length).toBeGreaterThan(0);
      });

  it('is called by its name inside the envelope', () => {
    const toolbox = new Toolbox([named('tool_call', { tool: { type: 'string' } }), shell]);
    const { calls } = readCalls('<tool_call>{"name": "tool_call", "arguments": {"tool": "x"}}</tool_call>', toolbox);
    expect(calls.map(({ name, status, input }) => [name, status, input])).toEqual([['tool_call', 'ok', { tool: 'x' }]]);
  });
});
