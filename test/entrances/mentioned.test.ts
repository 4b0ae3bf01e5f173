/** Calls that a text only mentions, through every entrance that reads words: nothing runs, and the user sees the text as it was written. */
import { describe, expect, it } from 'vitest';
import type { CaseTool } from './case.ts';
import { wordDoors } from './word-doors.ts';

const string = { type: 'string' } as const;
const tools: readonly CaseTool[] = [
  {
    name: 'unlock_door',
    description: 'Unlocks a door',
    inputSchema: { type: 'object', properties: { door: string, minutes: { type: 'integer' } }, required: ['door'] },
  },
  {
    name: 'close_door',
    description: 'Closes a door',
    inputSchema: { type: 'object', properties: { door: string }, required: ['door'] },
  },
];

const hermes = (name: string, given: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`;

const texts: Readonly<Record<string, string>> = {
  'a template': hermes('unlock_door', { door: '<door name>' }),
  'a template in tags':
    '<tool_call>\n<function=unlock_door>\n<parameter=door>\n<door>\n</parameter>\n</function>\n</tool_call>',
  'a template in Python': '[unlock_door(door="<door>")]',
  'a template in special tokens': '[TOOL_CALLS]unlock_door[ARGS]{"door": "..."}',
  'the names of types': hermes('unlock_door', { door: 'string', minutes: 'integer' }),
  'the names of types in labelled lines': 'Action: unlock_door\nAction Input: {"door": "string"}',
  'a real call next to a template': `${hermes('close_door', { door: 'front' })}\n${hermes('unlock_door', { door: '<door>' })}`,
};

/** What asks the model again shows the user its next answer. */
const asksAgain = (name: string): boolean => /^AI SDK|^(?:LangChain|OpenAI Agents).*complete$/.test(name);
/** What lists calls without running them. */
const lists = (name: string): boolean => /^(?:library|decode)/.test(name);

describe.each(wordDoors.map((door) => [door.name, door] as const))('through the %s', (name, door) => {
  it.each(Object.entries(texts))('nothing runs: %s', async (_, answer) => {
    const { calls, text } = await door.ask({ tools, user: 'How do I call it?', answer });
    if (!lists(name)) expect(calls).toEqual([]);
    if (!asksAgain(name)) expect(text.replace(/Done\.$/, '')).toBe(answer);
  });

  it('guard: a call with values runs', async () => {
    const answer = hermes('close_door', { door: 'front' });
    expect((await door.ask({ tools, user: 'Close it.', answer })).calls).toEqual(['close_door']);
  });
});
