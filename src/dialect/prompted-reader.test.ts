import { expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { readCalls } from './read-calls.ts';

const weather = tool({
  name: 'get_weather',
  description: 'Tells the weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});
const toolbox = new Toolbox([weather]);
const answer = 'I will call:\nget_weather(city="Paris")';

it('reads a call in prose only if the prompt requested calls', () => {
  expect(readCalls(answer, toolbox).calls).toEqual([]);
  expect(readCalls(answer, toolbox).text).toBe(answer);
  expect(readCalls(answer, toolbox, { prompted: true }).calls).toMatchObject([{ input: { city: 'Paris' } }]);
});

it('reads marked calls first, and keeps the text before them', () => {
  const text =
    'I look it up with get_weather(city="Rome"). <tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>';
  const reading = readCalls(text, toolbox, { prompted: true });
  expect(reading.calls).toMatchObject([{ input: { city: 'Oslo' } }]);
  expect(reading.text.trim()).toBe('I look it up with get_weather(city="Rome").');
});

it('reads a prompted response the same in chunks', () => {
  for (const chunk of [1, 3, 7]) {
    expect(readCalls(answer, toolbox, { prompted: true, chunk })).toEqual(
      readCalls(answer, toolbox, { prompted: true }),
    );
  }
});
