/** The end of a framed call: servers remove its token, and models write a word of the next header. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from './toolboxes.ts';

const boxOf = (effect: Effect): Toolbox =>
  new Toolbox([
    toolWith('run', { command: { type: 'string' }, timeout: { type: 'integer' } }, effect, {
      required: ['command'],
      closed: true,
    }),
    toolWith('save', { data: { type: 'object' } }, effect, { closed: true }),
  ]);
const toolbox = boxOf('write');
const frame = (name: string, body: string): string =>
  `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${body}`;
const modes = [{}, { dialect: 'harmony' }] as const;

/** The inputs of the calls that run, whole and in pieces. */
const ran = (text: string, options: Parameters<typeof readCalls>[2], tools = toolbox): unknown[] => {
  const whole = readCalls(text, tools, options);
  for (const chunk of [1, 7]) expect(readCalls(text, tools, { ...options, chunk })).toEqual(whole);
  return whole.calls.flatMap(({ status, input }) => (status === 'invalid' ? [] : [input]));
};

describe('a framed call without its last brace', () => {
  const texts: readonly (readonly [name: string, body: string, input: object])[] = [
    ['run', '{"command": "ls"', { command: 'ls' }],
    ['save', '{"data": {"a": {"b": "1Gi"}}', { data: { a: { b: '1Gi' } } }],
    ['save', '{"data": {"a": {"b": 1}}\n', { data: { a: { b: 1 } } }],
  ];
  it.each(texts)('is read at the end of the message: %s %s', (name, body, input) => {
    for (const mode of modes) expect(ran(frame(name, body), mode)).toEqual([input]);
    const [call] = readCalls(frame(name, body), toolbox, { dialect: 'harmony' }).calls;
    expect(call?.repairs.some(({ certainty }) => certainty === 'inferred')).toBe(true);
  });
  it.each(texts)('is none of a destructive tool: %s %s', (name, body) => {
    for (const mode of modes) expect(ran(frame(name, body), mode, boxOf('destructive'))).toEqual([]);
  });
  it.each([
    ['two braces missing', 'save', '{"data": {"a": {"b": "1Gi"}'],
    ['an open number', 'run', '{"command": "ls", "timeout": 1'],
    ['an open string', 'run', '{"command": "ls'],
    ['a comma at its end', 'run', '{"command": "ls",'],
    ['a colon at its end', 'run', '{"command":'],
    ['an open list', 'save', '{"data": {"a": ["b"}'],
    ['another field that may belong outside', 'run', '{"command": "ls", "other": {"a": 1}'],
    ['another fault', 'run', "{'command': 'ls'"],
  ])('guard: does not run with %s', (_, name, body) => {
    for (const mode of modes) expect(ran(frame(name, body), mode)).toEqual([]);
  });
  it('guard: does not run if the message was truncated', () => {
    for (const mode of modes) expect(ran(frame('run', '{"command": "ls"'), { ...mode, truncated: true })).toEqual([]);
  });
});

describe('a framed call before a word of a header', () => {
  it.each(['commentary', 'analysis', ' final', 'commentary\n'])('is read: %j', (word) => {
    for (const mode of modes)
      expect(ran(`${frame('run', '{"command": "ls"}')}<|call|>${word}`, mode)).toEqual([{ command: 'ls' }]);
  });
  it.each([' is how a call is written.', ' commentary is its channel.', 'is'])(
    'guard: not in a sentence: %j',
    (said) => {
      expect(ran(`${frame('run', '{"command": "ls"}')}<|call|>${said}`, {})).toEqual([]);
    },
  );
});
