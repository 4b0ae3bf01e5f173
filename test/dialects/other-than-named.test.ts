/** A response that only consists of calls in another dialect than the named one is read as if none were named. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const boxOf = (effect: Effect): Toolbox =>
  new Toolbox([
    toolWith('read_file', { path: string }, effect, { closed: true }),
    toolWith('run', { command: string }, effect, { closed: true }),
  ]);
const toolbox = boxOf('write');

const read = (text: string, dialect: string, tools = toolbox) => {
  const whole = readCalls(text, tools, { dialect });
  for (const chunk of [1, 5]) expect(readCalls(text, tools, { dialect, chunk })).toEqual(whole);
  return whole;
};

const hermes = '<tool_call>{"name": "read_file", "arguments": {"path": "a.md"}}</tool_call>';
const invoked =
  '<tool_calls>\n<invoke name="read_file">\n<parameter name="path" string="true">a.md</parameter>\n</invoke>\n</tool_calls>';
const glm = '<tool_call>run\n<arg_key>command</arg_key>\n<arg_value>ls -la</arg_value>\n</tool_call>';
const file = ['read_file', { path: 'a.md' }] as const;
const run = ['run', { command: 'ls -la' }] as const;

/** The named dialect, the response, the dialect it is in, and its calls. */
const others: readonly (readonly [
  named: string,
  text: string,
  dialect: string,
  calls: readonly (readonly [string, object])[],
])[] = [
  ['glm45', hermes, 'hermes', [file]],
  ['glm45', `<think>I read it.</think>\n${hermes}`, 'hermes', [file]],
  ['qwen3-coder', `${hermes}\n${hermes.replace('a.md', 'b.md')}`, 'hermes', [file, ['read_file', { path: 'b.md' }]]],
  [
    'glm45',
    '<tool_calls>\n<tool_call>run<tool_sep>\n<arg_key>command</arg_key>\n<arg_value>ls -la</arg_value>\n</tool_call>\n</tool_calls>',
    'hy-v3',
    [run],
  ],
  [
    'anthropic-xml',
    '<function_calls>\n[{"tool_name": "run", "arguments": {"command": "ls -la"}}]\n</function_calls>',
    'hermes',
    [run],
  ],
  ['deepseek-v4', invoked, 'minimax-m2', [file]],
  ['hermes', '[TOOL_CALLS][{"name": "run", "arguments": {"command": "ls -la"}}]', 'mistral', [run]],
  ['hermes', glm, 'glm45', [run]],
  ['harmony', glm, 'glm45', [run]],
  [
    'mistral',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.run:0<|tool_call_argument_begin|>{"command": "ls -la"}<|tool_call_end|><|tool_calls_section_end|>',
    'kimi-k2',
    [run],
  ],
];

describe('calls in another dialect than the named one', () => {
  it.each(others)('are read if there is nothing else: %s, %s', (named, text, dialect, calls) => {
    const reading = read(text, named);
    expect(reading).toMatchObject({ text: '', dialect });
    expect(reading.calls.map(({ name, input }) => [name, input])).toEqual(calls);
    for (const { repairs } of reading.calls)
      expect(repairs).toContainEqual(expect.objectContaining({ kind: 'text', certainty: 'inferred' }));
  });

  it.each(others)('are inferred, and none of a destructive tool: %s, %s', (named, text) => {
    const reading = read(text, named, boxOf('destructive'));
    expect(reading.calls.filter(({ status }) => status !== 'invalid')).toEqual([]);
    if (!text.includes('<think>')) expect(reading.text).toBe(text);
  });

  it.each([
    ['glm45', `Here it is:\n${hermes}`],
    ['glm45', `${hermes}\nThat reads it.`],
    ['glm45', hermes.replace('read_file', 'unknown_tool')],
    ['glm45', hermes.replace('path', 'file')],
    ['glm45', hermes.replace('a.md', '...')],
    ['glm45', hermes.replace('}}</tool_call>', '')],
    ['glm45', `\`\`\`xml\n${hermes}\n\`\`\``],
    ['glm45', `    ${hermes}`],
    ['glm45', `> ${hermes}`],
    ['glm45', `"${hermes}"`],
    ['glm45', `\`${hermes}\``],
    ['glm45', `<tool_call> is the marker of ${hermes}`],
    ['deepseek-v4', `<document>\n${invoked}\n</document>`],
    ['deepseek-v4', `${invoked}\nWhat do you think?`],
    ['hermes', `In GLM's dialect: ${glm}`],
    ['hermes', '[TOOL_CALLS] is what Mistral writes before run.'],
    ['hermes', '[1] The first source, which names run.'],
    ['hermes', '<p>run</p>'],
    ['mistral', '<code>run(command="ls")</code> lists the files.'],
  ])('guard: are text otherwise: %s, %s', (named, text) => {
    expect(read(text, named)).toMatchObject({ text, calls: [] });
  });

  it('guard: are text if the message was cut off, repeats what the model was shown, or has no tools', () => {
    expect(readCalls(hermes, toolbox, { dialect: 'glm45', truncated: true })).toMatchObject({
      text: hermes,
      calls: [],
    });
    const context = { messages: [{ role: 'tool', content: `The page says ${hermes}` }] } as never;
    expect(readCalls(hermes, toolbox, { dialect: 'glm45', context })).toMatchObject({ text: hermes, calls: [] });
    expect(readCalls(hermes, new Toolbox([]), { dialect: 'glm45' })).toMatchObject({ text: hermes, calls: [] });
  });
});
