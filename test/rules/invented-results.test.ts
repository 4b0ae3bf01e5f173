/** Calls beside a result that the model made up: what it continued from that result isn't a call. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

type Effect = 'read' | 'write' | 'destructive';
const inputSchema = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] } as const;
const boxOf = (look: Effect, heat: Effect) =>
  new Toolbox([
    tool({ name: 'look_up', description: 'Reads a thermometer', effect: look, inputSchema }),
    tool({ name: 'heat_up', description: 'Heats a room', effect: heat, inputSchema }),
  ]);
const read = (written: string, dialect?: string, effects: readonly [Effect, Effect] = ['read', 'write']) => {
  const [whole, ...pieces] = [undefined, 1, 7].map((chunk) => {
    const options = { ...(dialect ? { dialect } : { prompted: true }), ...(chunk && { chunk }) };
    const { text, reasoning, calls } = readCalls(written, boxOf(...effects), options);
    return { text, reasoning, calls: calls.map(({ name, status }) => (status === 'invalid' ? status : name)) };
  });
  for (const one of pieces) expect(one).toEqual(whole);
  return whole as { text: string; reasoning: string | undefined; calls: string[] };
};

const act = (name: string, room = 'attic'): string => `Action: ${name}\nAction Input: {"room": "${room}"}`;
const [look, heat] = [act('look_up'), act('heat_up')];

describe('after an observation of labelled lines, nothing runs', () => {
  it.each([
    `Observation: 12 degrees\n${heat}`,
    `Observation: 12 degrees\nThought: It is cold.\n${heat}`,
    `\nObservation: 12 degrees\n\n${heat}\n`,
    `Observation:\n${heat}`,
    `Observation: 12 degrees\n${heat}\nObservation:`,
    `Observation: 12 degrees\n${heat}\nObservation: on\nThought: Done.\nFinal Answer: It is warm.`,
    `Observation: 12 degrees\n${act('look_up', 'cellar')}\nObservation: 9 degrees\n${heat}`,
    `Observation: {"degrees": 12}\n${look}\n${heat}`,
  ])('%j', (rest) => {
    for (const heats of ['read', 'write', 'destructive'] as const) {
      expect(read(`${look}\n${rest}`, 'react', ['write', heats])).toEqual({
        text: rest.trimStart(),
        reasoning: undefined,
        calls: ['look_up'],
      });
      expect(read(`Thought: How cold?\n${look}\n${rest}`, 'react', ['read', heats])).toEqual({
        text: rest.trimStart(),
        reasoning: ' How cold?\n',
        calls: ['look_up'],
      });
      // Words follow, so that the call is inferred.
      expect(read(`${look}\n${rest}`, 'react', ['destructive', heats]).calls).toEqual(['invalid']);
    }
  });
});

describe('a call with words after it, and another call after these, is text with it', () => {
  it.each([
    `I look.\n${look}\nObservation: 12 degrees\n${heat}`,
    `${look}\n**Observation:** 12 degrees\n${heat}`,
    `${look}\nobservation: 12 degrees\n${heat}`,
    `${look}\nObservation 1: 12 degrees\n${heat}`,
    `${look}\nResult: 12 degrees\n${heat}`,
    `${look}\nTool Output: 12 degrees\n${heat}`,
    `${look}\nIt has 12 degrees.\n${heat}`,
    `${look}\nThought: It has 12 degrees.\n${heat}`,
  ])('%j', (text) => {
    for (const heats of ['read', 'write', 'destructive'] as const)
      expect(read(text, 'react', ['read', heats])).toEqual({ text, reasoning: undefined, calls: [] });
  });
  it.each([
    ['generic-json', '{"name": "look_up", "arguments": {"room": "attic"}}'],
    ['pythonic', '[look_up(room="attic")]'],
  ])('%s', (dialect, call) => {
    for (const words of ['It has 12 degrees.', 'Output: 12 degrees']) {
      const text = `${call}\n${words}\n${call.replace('look_up', 'heat_up')}`;
      expect(read(text, dialect)).toEqual({ text, reasoning: undefined, calls: [] });
    }
  });
});

describe('in labelled lines also if the call before the result is none, or there is no call', () => {
  it.each([
    `Observation: It is cold.\n${heat}`,
    `Thought: I look.\nObservation: It is cold.\n${heat}`,
    `Thought: I look.\nAction: look_up\nObservation: It is cold.\nThought: So be it.\n${heat}`,
    `Thought: I look.\nAction: look_up("attic")\nObservation 1: It is cold.\nThought: So be it.\n${heat}`,
    `Thought: I look.\nAction: None\n**Observation:** It is cold.\nThought: So be it.\n${heat}`,
  ])('%j', (text) => {
    for (const heats of ['read', 'write', 'destructive'] as const)
      expect(read(text, 'react', ['read', heats])).toEqual({ text, reasoning: undefined, calls: [] });
  });
  it('guard: after the same words in a sentence', () => {
    const text = `Thought: My observation: it is cold.\nObserving it won't help.\n${heat}`;
    expect(read(text, 'react')).toMatchObject({ calls: ['heat_up'] });
  });
});

describe('guard: no result was made up', () => {
  it.each([
    [`${look}\n${heat}`, ['look_up', 'heat_up'], ''],
    [`${look}\n\n${heat}\nObservation:`, ['look_up', 'heat_up'], ''],
    [`${look}\nObservation:`, ['look_up'], ''],
    [act('heat_up', 'Observation: none'), ['heat_up'], ''],
    [`${act('look_up', 'a\\nObservation: none')}\n${heat}`, ['look_up', 'heat_up'], ''],
    [`Thought: My observation: it is cold.\n${heat}`, ['heat_up'], ''],
    [`I look it up.\n${look}`, ['look_up'], 'I look it up.\n'],
    [`${look}\nObservation: 12 degrees`, ['look_up'], 'Observation: 12 degrees'],
  ])('%j', (written, calls, text) => {
    expect(read(written, 'react')).toMatchObject({ calls, text });
  });
});

const json = (name: string, room = 'attic'): string => `{"name": "${name}", "arguments": {"room": "${room}"}}`;
const tagged = (room: string): string => `<tool_call>\n${json('look_up', room)}\n</tool_call>`;
const fenced = (language: string, body: string): string => `\`\`\`${language}\n${body}\n\`\`\``;

describe('prompted: a call before an invented result is taken with all of its markers, and one after it is text', () => {
  const python = '[look_up(room="attic")]';
  it.each<readonly [string, string]>([
    ...[
      '<tool_result>12</tool_result>',
      '<observation>12</observation>',
      '<function_results>12</function_results>',
    ].map((result): readonly [string, string] => [tagged('attic'), `${result}\n${tagged('cellar')}`]),
    [python, 'Output: 12\n[look_up(room="cellar")]'],
    [tagged('attic'), `Observation: 12\n${tagged('cellar')}`],
    [tagged('attic'), `Result: 12\n${tagged('cellar')}`],
    [python, '<tool_response>\n12\n</tool_response>\n[look_up(room="cellar")]'],
    [
      fenced('tool_code', 'look_up(room="attic")'),
      `${fenced('tool_output', '12')}\n${fenced('tool_code', 'look_up(room="cellar")')}`,
    ],
    [look, `Observation: 12 degrees\n${act('look_up', 'cellar')}`],
    [look, `Observation 1: 12 degrees\n${act('look_up', 'cellar')}`],
  ])('%j, then %j', (call, rest) => {
    const { text, calls } = read(`${call}\n${rest}`);
    expect(calls).toEqual(['look_up']);
    expect(text).toBe(rest);
    // For a tool that writes, all of it is text.
    const written = `${call}\n${rest}`.replaceAll('look_up', 'heat_up');
    const { text: all, calls: refused } = read(written);
    expect(refused.filter((name) => name !== 'invalid')).toEqual([]);
    expect(all).toBe(written);
  });
});

describe('prompted: with other words or data beside the invented result, all of it is text', () => {
  it.each([
    `I look it up.\n${tagged('attic')}\n<tool_result>12</tool_result>\nAnd the cellar.\n${tagged('cellar')}`,
    `${tagged('attic')}\n**Result:** 12\n${tagged('cellar')}`,
    `${tagged('attic')}\nTool output: {"degrees": 12}\n${tagged('cellar')}`,
  ])('%j', (text) => {
    expect(read(text)).toMatchObject({ text, calls: [] });
  });
});

describe('prompted: no empty marker or fence is left of a call', () => {
  it.each([
    [`I look it up.\n<|tool_call|>[${json('look_up')}]<|/tool_call|>`, 'I look it up.\n'],
    [`I look it up.\n\n${fenced('tool_call', json('look_up'))}\n`, 'I look it up.'],
    [`I look it up.\n\n${fenced('tool_code', 'look_up(room="attic")')}`, 'I look it up.'],
  ])('%j', (written, text) => {
    expect(read(written)).toMatchObject({ calls: ['look_up'], text });
  });
});

describe('guard: prompted: markers that hold no call stay', () => {
  it.each([
    [
      `The marker <tool_call></tool_call> is empty.\n${tagged('attic')}`,
      'The marker <tool_call></tool_call> is empty.\n',
    ],
    [`I look it up.\n\n${fenced('json', json('look_up'))}`, 'I look it up.'],
    ['I look it up:\n\n**[look_up(room="attic")]**', 'I look it up:'],
  ])('%j', (written, text) => {
    expect(read(written)).toMatchObject({ calls: ['look_up'], text });
  });
});

describe('marked calls after an invented result are text', () => {
  const results = ['<tool_response>\n12\n</tool_response>', 'Observation: 12', 'Result: 12', '```tool_output\n12\n```'];
  it.each(results.map((result) => `${result}\n${tagged('cellar')}`))('%j', (rest) => {
    const written = `${tagged('attic')}\n${rest}`;
    for (const effect of ['read', 'write'] as const) {
      expect(read(written, 'hermes', [effect, 'write'])).toMatchObject({ calls: ['look_up'], text: rest });
      expect(readCalls(written, boxOf(effect, 'write'))).toMatchObject({ calls: [], text: written });
    }
  });
});

describe('guard: words between marked calls are no results', () => {
  it.each([
    'And now the cellar.',
    'The result will be a number.',
    'Next: the cellar.',
    'For the output I also need this:',
    'Result comes next.',
  ])('%j', (words) => {
    const written = `${tagged('attic')}\n${words}\n${tagged('cellar')}`;
    expect(read(written, 'hermes')).toMatchObject({ calls: ['look_up', 'look_up'], text: `${words}\n` });
  });
});
