import { expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { dialectOf } from './detect.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';
import { renderResults } from './render.ts';
import { toolPrompt } from './tool-prompt.ts';

it.each([
  ["{{ '<|tool_call_argument_begin|>' }}", 'kimi-k2'],
  ['return a JSON within <tool_call></tool_call>:\\n<tool_call>\\n{"name": <function-name>}', 'hermes'],
  ["'<｜DSML｜tool_calls>\\n' + calls", 'deepseek-v4'],
  ['{{- "[TOOL_CALLS]" }}', 'mistral'],
  ['{{ message.content }}', undefined],
])('detects from a chat template with %j: %s', (template, dialect) => {
  expect(dialectOf(template)).toBe(dialect);
});

const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
  },
});
const toolbox = new Toolbox([weather]);

it.each(dialects.filter(({ name }) => name !== 'content-only').map(({ name }) => name))(
  'writes a prompt for %s that names the tools and shows a readable call',
  (dialect) => {
    const prompt = toolPrompt(toolbox, dialect);
    expect(prompt).toContain('Tells the weather');
    const example = prompt.split('nothing after it:\n')[1]?.split('\n\nSeveral calls')[0] ?? '';
    const { calls } = readCalls(example, toolbox, { dialect });
    expect(calls).toMatchObject([{ name: 'get_weather', tool: { name: 'get_weather' } }]);
    // Its value is a placeholder, which nobody may run.
    expect(calls[0]?.problems.filter(({ code }) => code !== 'residue')).toEqual([]);
  },
);

it('writes no prompt if there are no tools', () => expect(toolPrompt(new Toolbox([]))).toBe(''));

it('writes results as text, whatever they contain', () => {
  const results = [{ name: 'get_weather', result: '$& {name}' }];
  expect(renderResults(results, 'hermes')).toBe('<tool_response>\n$& {name}\n</tool_response>');
  const row = { name: 'mine', group: 'A', families: '', forms: [], result: '[{id}|{name}]{result}' } as const;
  expect(renderResults([{ name: 'a', id: '7', result: 'x' }], row)).toBe('[7|a]x');
});
