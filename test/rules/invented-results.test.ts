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
        ...{ text: rest.trimStart(), reasoning: undefined, calls: ['look_up'] },
      });
      expect(read(`Thought: How cold?\n${look}\n${rest}`, 'react', ['read', heats])).toEqual({
        ...{ text: rest.trimStart(), reasoning: ' How cold?\n', calls: ['look_up'] },
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

describe('guard: no result was made up', () => {
  it.each([
    [`${look}\n${heat}`, ['look_up', 'heat_up'], ''],
    [`${look}\n\n${heat}\nObservation:`, ['look_up', 'heat_up'], ''],
    [`${look}\nObservation:`, ['look_up'], ''],
    [act('heat_up', 'Observation: none'), ['heat_up'], ''],
    [`${act('look_up', 'a\\nObservation: none')}\n${heat}`, ['look_up', 'heat_up'], ''],
    [`Thought: My observation: it is cold.\n${heat}`, ['heat_up'], ''],
    [`Observation: It is cold.\n${heat}`, ['heat_up'], 'Observation: It is cold.\n'],
    [`I look it up.\n${look}`, ['look_up'], 'I look it up.\n'],
    [`${look}\nObservation: 12 degrees`, ['look_up'], 'Observation: 12 degrees'],
  ])('%j', (written, calls, text) => {
    expect(read(written, 'react')).toMatchObject({ calls, text });
  });
});
