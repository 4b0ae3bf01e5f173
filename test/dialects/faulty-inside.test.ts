/** Markers that are faulty inside a call: a response of nothing but such calls is read if that gives valid calls, and refused otherwise. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { ranCalls, readAlike, toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const boxOf = (effect: Effect): Toolbox =>
  new Toolbox([
    toolWith('list_files', { path: string, depth: { type: 'integer' } }, effect, { required: ['path'], closed: true }),
    toolWith('run', { command: string, note: string }, effect, { required: ['command'], closed: true }),
    toolWith('ping', {}, effect, { required: [], closed: true }),
  ]);
const toolbox = boxOf('write');
const read = (text: string, tools = toolbox) => readAlike(text, tools);
const ran = (text: string, tools = toolbox) => ranCalls(text, tools);

const glm = (inside: string): string => `<tool_call>${inside}</tool_call>`;
const kimi = (inside: string): string =>
  `<|tool_calls_section_begin|><|tool_call_begin|>${inside}<|tool_call_end|><|tool_calls_section_end|>`;
const src = { path: 'src' };

type Faulty = readonly [what: string, text: string, calls: readonly [string, object][]];
const faulty: readonly Faulty[] = [
  [
    'the closer of a key twice',
    glm('list_files<arg_key>path</arg_key></arg_key><arg_value>src</arg_value>'),
    [['list_files', src]],
  ],
  [
    'the opener of a key twice',
    glm('list_files<arg_key><arg_key>path</arg_key><arg_value>src</arg_value>'),
    [['list_files', src]],
  ],
  ['no closer of a key', glm('list_files<arg_key>path<arg_value>src</arg_value>'), [['list_files', src]]],
  ['no opener of a value', glm('list_files<arg_key>path</arg_key>src</arg_value>'), [['list_files', src]]],
  [
    'no opener of one value of two',
    glm('list_files<arg_key>path</arg_key>src</arg_value><arg_key>depth</arg_key><arg_value>2</arg_value>'),
    [['list_files', { path: 'src', depth: 2 }]],
  ],
  ['the closer of a value after a name', glm('ping</arg_value>'), [['ping', {}]]],
  [
    'elements for parameters',
    '<invoke name="run">\n  <command>make test</command>\n  <note>all of it</note>\n</invoke>',
    [['run', { command: 'make test', note: 'all of it' }]],
  ],
  [
    'the parameters of another notation',
    glm('\n<function name="list_files">\n<parameter name="path">src</parameter>\n</function>\n'),
    [['list_files', src]],
  ],
  ['braces twice', glm('\n{{"name": "list_files", "arguments": {"path": "src"}}}\n'), [['list_files', src]]],
  ['no marker between a name and its arguments', kimi('functions.list_files:0 {"path": "src"}'), [['list_files', src]]],
  [
    'two calls, one of them faulty',
    `${glm('list_files<arg_key>path</arg_key><arg_value>src</arg_value>')}\n${glm('list_files<arg_key>path</arg_key>lib</arg_value>')}`,
    [
      ['list_files', src],
      ['list_files', { path: 'lib' }],
    ],
  ],
];

describe('a call with one reading is read', () => {
  it.each(faulty)('%s', (_, text, calls) => {
    expect(ran(text)).toEqual(calls);
    const [call] = read(text).calls;
    expect(call?.repairs).toContainEqual(expect.objectContaining({ kind: 'text', certainty: 'inferred' }));
  });
  const expectAfterReasoning = (_: string, text: string, calls: Faulty[2]) => {
    expect(ran(`<think>I look.</think>\n${text}`)).toEqual(calls);
  };
  it.each(faulty.filter(([what]) => what !== 'braces twice'))('after reasoning: %s', expectAfterReasoning);
  it.each(faulty.filter(([what]) => what === 'braces twice'))('guard: after reasoning: %s', expectAfterReasoning);
});

describe('nothing runs', () => {
  /** What was read before, and so ran where it must not. */
  const isReadBefore = ([what]: Faulty): boolean => ['braces twice', 'two calls, one of them faulty'].includes(what);
  const [readBefore, unreadBefore] = [faulty.filter(isReadBefore), faulty.filter((one) => !isReadBefore(one))];
  const expectNotDestructive = (_: string, text: string) => {
    expect(ran(text, boxOf('destructive'))).toEqual([]);
  };
  it.each(readBefore)('for a destructive tool: %s', expectNotDestructive);
  it.each(unreadBefore)('guard: for a destructive tool: %s', expectNotDestructive);
  const expectShown = (_: string, text: string) => {
    for (const said of [`${text}\nThis is how the call looks.`, `> ${text.replaceAll('\n', '\n> ')}`, `\`${text}\``])
      expect(ran(said)).toEqual([]);
  };
  it.each(readBefore)('beside words: %s', expectShown);
  it.each(unreadBefore)('guard: beside words: %s', expectShown);
  it.each([
    ['no value at all', glm('run<arg_key>command</arg_key>')],
    ['an empty value without its opener', glm('run<arg_key>command</arg_key></arg_value>')],
    ['words between a key and its value', glm('run<arg_key>command</arg_key>the<arg_value>ls</arg_value>')],
    ['a key that the tool lacks', glm('run<arg_key>cmd</arg_key>ls</arg_value>')],
    [
      'a value with the markers of another call',
      glm('run<arg_key>command</arg_key>ls</arg_value></tool_call><tool_call>ping</arg_value>x</arg_value>'),
    ],
    ['elements that the tool lacks', '<invoke name="run">\n<command>ls</command>\n<force>true</force>\n</invoke>'],
    ['words beside elements', '<invoke name="run">\n<command>ls</command> or not\n</invoke>'],
    ['arguments that are cut off', kimi('functions.run:0 {"command": "ls')],
  ])('guard: for %s', (_, text) => {
    expect(ran(text)).toEqual([]);
  });
  it('for a response that its length ended', () => {
    for (const [, text] of faulty.filter(([, , calls]) => calls.length === 1))
      expect(
        readCalls(text.slice(0, -3), toolbox, { truncated: true }).calls.filter(({ status }) => status !== 'invalid'),
      ).toEqual([]);
  });
});
