/** Reasoning that the prompt opened, and that is closed: whatever it holds is reasoning, in every row and where none is named. */
import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/dialect/dialects/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { userTools as toolbox, writeUserCall as write } from './toolboxes.ts';

const places: Readonly<Record<string, (call: string) => string>> = {
  'in a sentence': (call) => `I could run ${call} but that cannot be undone.`,
  'on its own line': (call) => `One way is:\n\n${call}\n\nThat cannot be undone, so I will ask.`,
  'at the end': (call) => `The user may want this. ${call}`,
  'at the end, on its own line': (call) => `The user may want this.\n${call}\n`,
  'in inline code': (call) => `It would be \`${call}\`, which cannot be undone.`,
};
const rows = dialects
  .map(({ name }) => name)
  .filter((name) => name !== 'content-only')
  .flatMap((name) => Object.keys(places).map((place) => [name, place] as const));
const reasoned = (dialect: string, place: string) => places[place]?.(write('delete_user', dialect)) ?? '';

/** These were text there before. */
const held = new Set(['pythonic', 'llama4-pythonic']);

describe('a call in closed reasoning, without a named dialect', () => {
  it.each(rows.map(([dialect, place]) => [held.has(dialect) ? 'guard: ' : '', dialect, place] as const))(
    '%s%s, %s',
    (_, dialect, place) => {
      const reasoning = reasoned(dialect, place);
      const question = 'Shall I delete user 5?';
      for (const chunk of [undefined, 1, 7]) {
        const options = { reasoningOpen: true, ...(chunk && { chunk }) };
        const asked = readCalls(`${reasoning}</think>\n\n${question}`, toolbox, options);
        expect({ calls: asked.calls.map(({ name }) => name), text: asked.text.trim() }).toEqual({
          calls: [],
          text: question,
        });
        const called = readCalls(`${reasoning}</think>\n\n${write('get_user', 'hermes')}`, toolbox, options);
        expect({ calls: called.calls.map(({ name }) => name), text: called.text.trim() }).toEqual({
          calls: ['get_user'],
          text: '',
        });
      }
    },
  );
});

describe('guard: reasoning that a call of its own dialect ends', () => {
  it.each(['inkling', 'react'])('%s', (dialect) => {
    const text = `The user wants it.\n${write('get_user', dialect)}`;
    const { calls } = readCalls(text, toolbox, { dialect, reasoningOpen: true });
    expect(calls.map(({ name, status }) => `${name} ${status}`)).toEqual(['get_user ok']);
  });
});
