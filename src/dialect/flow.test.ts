import { describe, expect, it } from 'vitest';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';

const toolbox = new Toolbox([tool({ name: 'write', description: 'Writes a file' })]);
const long = 'Dear all, it rains. '.repeat(200);

/** One long text in several dialects: what stands before it, and after. */
const written: Readonly<Record<string, readonly [string, string]>> = {
  hermes: ['<tool_call>{"name": "write", "arguments": {"content": "', '"}}</tool_call>'],
  mistral: ['[TOOL_CALLS]write[ARGS]{"content": "', '"}'],
  gemma4: ['<|tool_call>call:write{content:<|"|>', '<|"|>}<tool_call|>'],
  'qwen3-coder': ['<tool_call><function=write><parameter=content>', '</parameter></function></tool_call>'],
  lfm2: ['<|tool_call_start|>[write(content="', '")]<|tool_call_end|>'],
};

/** The quote of a Python string is held until it can't be one of three. */
const first = 'Hi! ';

describe.each(Object.entries(written))('%s', (dialect, [open, after]) => {
  const before = open + first;

  it('streams every character of a long value at once, with the value so far', () => {
    const reader = new CallReader(toolbox, { dialect });
    for (const char of before) reader.push(char);
    let soFar = first;
    for (const char of long) {
      soFar += char;
      const [event, ...more] = reader.push(char);
      expect(more).toEqual([]);
      expect(event).toMatchObject({ type: 'call.delta', delta: char });
      // Python is read anew only when an eighth has come.
      if (dialect !== 'lfm2' && soFar.length % 97 === 0) expect(event).toMatchObject({ value: { content: soFar } });
    }
    for (const char of after) reader.push(char);
    reader.end();
    expect(reader.calls).toMatchObject([{ status: 'ok', name: 'write', input: { content: first + long } }]);
  });

  it('returns the complete value at the end if its parts were not read', () => {
    const reader = new CallReader(toolbox, { dialect });
    const events = [...`${before}${long}${after}`].flatMap((char) => reader.push(char));
    const last = events.findLast(({ type }) => type === 'call.delta');
    reader.end();
    expect(last).toMatchObject({ value: { content: first + long } });
  });
});

it('streams text and reasoning at once, except the possible start of a marker', () => {
  const reader = new CallReader(toolbox);
  const said = [...'It is so: x < y.<think>Hm, why?'].map((char) =>
    reader
      .push(char)
      .map((event) => ('text' in event ? event.text : ''))
      .join(''),
  );
  expect(said.slice(0, 14)).toEqual(['I', 't', ' ', 'i', 's', ' ', 's', 'o', ':', ' ', 'x', ' ', '', '< ']);
  expect(said.slice(-8)).toEqual(['H', 'm', ',', ' ', 'w', 'h', 'y', '?']);
});
