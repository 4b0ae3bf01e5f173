/** Calls that nothing marks are led in by prose: what stands inside other data is data. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const id = { type: 'integer' };
const object = (properties: object) => ({ type: 'object', properties }) as never;
const toolbox = new Toolbox([
  tool({ name: 'get_user', description: 'Reads', effect: 'read', inputSchema: object({ user_id: id }) }),
  tool({
    name: 'update_user',
    description: 'Writes',
    inputSchema: object({ user_id: id, active: { type: 'boolean' } }),
  }),
  tool({ name: 'delete_user', description: 'Deletes', effect: 'destructive', inputSchema: object({ user_id: id }) }),
]);
const named = ['llama3-json', 'xlam', 'hermes-lenient'];
const given = (dialect: string) => (dialect === 'llama3-json' ? 'parameters' : 'arguments');
const callOf = (name: string, dialect: string) => `{"name": "${name}", "${given(dialect)}": {"user_id": 42}}`;

const data: Readonly<Record<string, (call: string) => string>> = {
  'the value of a key': (call) => `{"verdict": "unsafe", "call": ${call}}`,
  'the value of a key, on a line of its own': (call) => `{"user": "remove 42", "model":\n${call}}`,
  'in a list': (call) => `{"expected": [${call}]}`,
  'in a list on several lines': (call) => `{"trace": [\n  ${call},\n  ${call}\n]}`,
  'behind another value in a list': (call) => `["calls", ${call}]`,
  'in a list of lists': (call) => `[[1, 2],\n${call}]`,
  'behind blank lines in an object': (call) => `{"a": 1,\n\n"call":\n\n${call}}`,
  'a member alone': (call) => `"call": ${call}`,
  assigned: (call) => `results = [${call}]`,
  'assigned on the next line': (call) => `results =\n${call}`,
  'in prose, in an object': (call) => `The log says {"step": 3, "call": ${call}} and no more.`,
  'a member of a YAML flow map': (call) => `step: {id: 3, call: ${call}}`,
};

describe('an object inside other data', () => {
  it.each(Object.entries(data))('%s', (_, put) => {
    for (const dialect of named) {
      for (const name of ['get_user', 'update_user', 'delete_user']) {
        const written = put(callOf(name, dialect));
        for (const options of [{ dialect }, { dialect, chunk: 1 }, { dialect, chunk: 7 }]) {
          const { text, calls } = readCalls(written, toolbox, options);
          expect([dialect, text, calls]).toEqual([dialect, written, []]);
        }
      }
    }
  });
});

describe('guard: introductory prose', () => {
  it.each([
    'I will look it up.\n',
    'I will look it up:\n',
    'Calling the tool now: ',
    'See [the guide](https://example.org/a) and {this}.\n\n',
    'A list [1] of (two) things, then:\n',
    'That failed :[ so once more:\n',
    '',
  ])('%j', (before) => {
    for (const dialect of named) {
      const { calls } = readCalls(before + callOf('get_user', dialect), toolbox, { dialect });
      expect(calls.map(({ name, input }) => [name, input])).toEqual([['get_user', { user_id: 42 }]]);
    }
  });
});
