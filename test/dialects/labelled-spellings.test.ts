/** Labelled lines as models spell them beside ReAct's own form: one call that is the complete response. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Effect } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from './toolboxes.ts';

const string = { type: 'string' } as const;
const boxOf = (effect: Effect): Toolbox =>
  new Toolbox([
    toolWith('search', { query: string, limit: { type: 'integer' } }, effect, { required: ['query'], closed: true }),
    toolWith('save', { name: string, text: string }, effect, { closed: true }),
  ]);
const toolbox = boxOf('write');

const read = (text: string, options: Parameters<typeof readCalls>[2], tools = toolbox) => {
  const whole = readCalls(text, tools, options);
  for (const chunk of [1, 5]) expect(readCalls(text, tools, { ...options, chunk })).toEqual(whole);
  return whole;
};
const ran = (...given: Parameters<typeof read>): unknown[] =>
  read(...given).calls.flatMap(({ status, name, input }) => (status === 'invalid' ? [] : [[name, input]]));
const modes = [{}, { prompted: true }, { dialect: 'react' }];
const made = [['search', { query: 'tides' }]];

describe('labelled lines in other spellings', () => {
  const texts = [
    'Thought: look\nAction: [search]\nAction Input: {"query": "tides"}',
    'Thought: look\nAction: `search`\nAction Input: {"query": "tides"}',
    'Thought: look\nAction: search ({"query": "tides"})',
    'Thought: look\nAction: search({"query": "tides"})',
    'Action: search({"query": "tides"})\nObservation:',
    '**Thought:** look\n**Action:** search\n**Action Input:** {"query": "tides"}',
    '**Thought**: look\n\n**Action**: search\n**Action Input**: {"query": "tides"}\n',
    '**Action:** search\n**Action Input:** {"query": "tides"}\n**Observation:**',
    'Thought: look\n**Action:** search\nAction Input: {"query": "tides"}',
  ];
  it.each(texts)('are read: %s', (text) => {
    for (const mode of modes) expect(ran(text, mode)).toEqual(made);
  });
  it.each(texts)('are inferred, without a destructive tool, if ReAct was not asked for: %s', (text) => {
    expect(ran(text, {}, boxOf('destructive'))).toEqual([]);
  });
  it.each([
    'Thought: look\nAction: [find]\nAction Input: {"query": "tides"}',
    'Thought: look\nAction: [search]\nAction Input: {"query": "tides"}\nThat is how it is written.',
    'To look it up, write:\nAction: search({"query": "tides"})',
    '**Action:** search the web for tides.',
    '**Action:** search\nThe team met {"query": "tides"}',
    '**Action:** search\n**Owner:** Ann\n**Action Input:** {"query": "tides"}',
    'Action: search({"query": "tides"}) or search({"query": "moon"})',
    'Action: search ({"query": ...})',
    'Action: search ({"topic": "tides"})',
    '> **Action:** search\n> **Action Input:** {"query": "tides"}',
    '1. **Action:** search\n   **Action Input:** {"query": "tides"}',
    '    Action: search({"query": "tides"})',
    '**Note:** look\n**Action:** search\n**Action Input:** {"query": "tides"}',
  ])('guard: are text otherwise: %s', (text) => {
    for (const mode of modes) expect(ran(text, mode)).toEqual([]);
    expect(read(text, {}).text).toBe(text);
  });
});

describe('the label of a result at the end, at which a server should have stopped', () => {
  const react = 'Thought: I look.\nAction: search\nAction Input: {"query": "tides"}';
  it.each([
    '\nObservation:',
    '\nObservation: \n',
    '\n\nObservation:',
    '\nObservation',
    '\n**Observation:**',
    '\n**Observation**:',
    '\n**Observation**',
  ])('is no text behind the call: %j', (end) => {
    for (const text of [react + end, react.slice(react.indexOf('Action')) + end])
      for (const mode of modes) expect(ran(text, mode)).toEqual(made);
    for (const mode of [{}, { prompted: true }]) expect(read(react + end, mode).text.trim()).toBe('');
  });
  it.each([
    '\nObservation: high water at noon',
    '\nObservation:\nhigh water at noon',
    '\n**Observation:** high water',
    '\nObservation high water',
    '\nObservations of the moon',
    '\nObservation:\nThought: That is all.',
    '\nNote:',
    '\n> Observation:',
  ])('guard: is a made-up result with words behind it: %j', (end) => {
    expect(ran(react + end, {})).toEqual([]);
  });
  it('guard: does not end a description of the form', () => {
    const text = `Use this form:\n${react}\nObservation:`;
    for (const mode of [{}, { prompted: true }]) expect(ran(text, mode)).toEqual([]);
  });
});

describe('a JSON string for the only required field of a tool', () => {
  const react = (given: string, name = 'search'): string => `Thought: look\nAction: ${name}\nAction Input: ${given}`;
  it('is inferred if ReAct is named', () => {
    for (const end of ['', '\n', '\nObservation:'])
      expect(ran(react('"home runs 2022"') + end, { dialect: 'react' })).toEqual([
        ['search', { query: 'home runs 2022' }],
      ]);
    expect(ran(react('"home runs"'), { dialect: 'react' }, boxOf('destructive'))).toEqual([]);
  });
  it.each([
    ['no quotes', react('home runs')],
    ['two required fields', react('"a.md"', 'save')],
    ['a field by name', react('"query=tides"')],
    ['a field by name', react('"query: tides"')],
    ['a call', react('"search(tides)"')],
    ['a list', react('"[1]"')],
    ['two strings', react('"a", "b"')],
    ['an open string', react('"tides')],
    ['nothing', react('""')],
  ])('guard: does not run with %s', (_, text) => {
    expect(ran(text, { dialect: 'react' })).toEqual([]);
  });
  it('guard: does not run if no dialect is named', () => {
    for (const mode of [{}, { prompted: true }]) expect(ran(react('"home runs"'), mode)).toEqual([]);
  });
});
