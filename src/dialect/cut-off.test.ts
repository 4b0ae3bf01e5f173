import { describe, expect, it } from 'vitest';
import { isLong } from '../../test/sample.ts';
import { equal } from '../json/value.ts';
import { tool } from '../tools/tool.ts';
import { Toolbox } from '../tools/toolbox.ts';
import { CallReader } from './call-reader.ts';
import { dialects } from './dialects/index.ts';
import { readCalls } from './read-calls.ts';
import { renderCalls } from './render.ts';
import type { WrittenCall } from './types.ts';

const properties = {
  path: { type: 'string' },
  content: { type: 'string' },
  count: { type: 'integer' },
  tags: { type: 'array', items: { type: 'string' } },
  deep: { type: 'boolean' },
} as const;
const toolbox = new Toolbox(
  ['write', 'search'].map((name) =>
    tool({ name, description: 'Does it', inputSchema: { type: 'object', properties } }),
  ),
);

const given: readonly (readonly WrittenCall[])[] = [
  [
    { name: 'write', arguments: { path: 'a.ts', content: 'hello world', count: 12, tags: ['x', 'y'], deep: true } },
    { name: 'search', arguments: { path: 'b', count: 345 } },
  ],
  [
    { name: 'write', arguments: {} },
    { name: 'search', arguments: {} },
  ],
  [{ name: 'write', arguments: { content: 'only' } }],
];

/** The calls as they can be written in a dialect; none where it can't. */
const written = (dialect: string): readonly (readonly [text: string, calls: readonly WrittenCall[]])[] =>
  given.flatMap((calls) => {
    try {
      return [[renderCalls(calls, dialect, toolbox), calls] as const];
    } catch {
      return [];
    }
  });

/** From one cut to the next: a prime, so that the cuts of each text lie elsewhere in its markers. */
const stride = isLong ? 1 : 13;

describe.each(dialects.map(({ name }) => name).filter((name) => name !== 'content-only'))('%s', (dialect) => {
  const texts = written(dialect);
  const isFramed = dialects.some(({ name, frame }) => name === dialect && frame !== undefined);

  it.each([{ dialect }, { dialect: 'auto' }, { dialect, truncated: true }])(
    'C2 C18 cut off at any place, no call looks complete that lost something: %j',
    (options) => {
      expect(texts.length).toBeGreaterThan(0);
      for (const [text, calls] of texts) {
        for (let at = 1; at < text.length; at += stride) {
          readCalls(text.slice(0, at), toolbox, options).calls.forEach(({ name, status, input, repairs }, index) => {
            const same = name === calls[index]?.name && equal(input, calls[index]?.arguments);
            // Servers remove the token that ends a frame. Unless the message was truncated, one brace may be missing.
            const isImplied = isFramed && !('truncated' in options) && repairs.some(({ kind }) => kind === 'closer');
            expect(status === 'invalid' || same || isImplied, text.slice(0, at)).toBe(true);
          });
        }
      }
    },
  );

  it('C18 finishes every started call once, wherever the text ends', () => {
    for (const [text] of texts) {
      for (let at = 1; at < text.length; at += stride) {
        const reader = new CallReader(toolbox, { dialect });
        const events = [...reader.push(text.slice(0, at)), ...reader.end()];
        const ids = (type: string) => events.flatMap((event) => ('id' in event && event.type === type ? event.id : []));
        expect(ids('call.finished'), text.slice(0, at)).toEqual(ids('call.started'));
      }
    }
  });
});

describe('a text that ends early', () => {
  const read = (text: string, dialect = 'auto') => {
    const whole = readCalls(text, toolbox, { dialect });
    for (const chunk of [1, 2, 5]) expect(readCalls(text, toolbox, { dialect, chunk })).toEqual(whole);
    return { text: whole.text, calls: whole.calls.map(({ name, status }) => [name, status]) };
  };

  it.each([
    '<function=write',
    '<tool_call>write',
    '<function_calls>\n<invoke><tool_name>write</tool_',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write<｜tool▁s',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.write:0<|tool_call_arg',
    '<|open|>tools<|sep|><|open|>call tool="write"<|se',
    '<|start|>assistant to=functions.write<|chan',
    '<tool_calls><tool_call>write<tool_s',
  ])('C18 reports an opener as a truncated call, and keeps it out of the text: %j', (text) => {
    expect(read(`Well. ${text}`)).toEqual({ text: 'Well. ', calls: [['write', 'invalid']] });
  });

  it.each(['<tool_c', '<|tool_call', '</paramet', ']<]', '[TOOL_CALL'])(
    'keeps a marker without a name as text: %j',
    (text) => {
      expect(read(`Well.${text}`)).toEqual({ text: `Well.${text}`, calls: [] });
    },
  );

  it('reads no call from prose that mentions an opener', () => {
    expect(read('The <tool_call> tag')).toEqual({ text: 'The <tool_call> tag', calls: [] });
    expect(read('The `<tool_call>` tag')).toEqual({ text: 'The `<tool_call>` tag', calls: [] });
  });

  it.each([
    'I am your assistant',
    'This is a function',
    'import functools',
    'Use functools.partial, or functools[0].',
    'Recommended Action: wait',
    'The Action: line\nAction 2',
    'analysis shows that',
    'Legal Action:\n```json\n{"a": 1}\n```',
    'a < b',
    'x <- y <',
    'see [T',
  ])('keeps words as text: %j', (text) => {
    expect(read(text)).toEqual({ text, calls: [] });
  });
});
