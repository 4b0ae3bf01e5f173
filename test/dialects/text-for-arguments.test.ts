/** Free text stands for arguments only where the tool has exactly one parameter, and where the dialect has such text. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' } as const;
const object = (properties: Record<string, unknown>, required: string[]) => ({
  type: 'object' as const,
  properties,
  required,
  additionalProperties: false,
});
const toolbox = new Toolbox([
  tool({
    name: 'delete_file',
    description: 'Deletes',
    effect: 'destructive',
    inputSchema: object({ path: text, recursive: { type: 'boolean' } }, ['path']),
  }),
  tool({
    name: 'search',
    description: 'Searches',
    effect: 'read',
    inputSchema: object({ query: text, limit: { type: 'integer' } }, ['query']),
  }),
  tool({ name: 'drop', description: 'Drops', effect: 'destructive', inputSchema: object({ table: text }, ['table']) }),
  tool({ name: 'find', description: 'Finds', effect: 'read', inputSchema: object({ query: text }, ['query']) }),
]);

const forms: Record<string, (name: string, body: string) => string> = {
  react: (name, body) => `Action: ${name}\nAction Input: ${body}`,
  'langchain-xml': (name, body) => `<tool>${name}</tool><tool_input>${body}</tool_input>`,
  harmony: (name, body) => `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${body}<|call|>`,
};
const bare: typeof forms = {
  harmony: (name, body) => `<|start|>assistant to=functions.${name}<|channel|>commentary<|message|>${body}<|call|>`,
};
const read = (written: string, dialect: string, chunk?: number) =>
  readCalls(written, toolbox, { dialect, ...(chunk && { chunk }) }).calls;
const ran = (written: string, dialect: string, chunk?: number) =>
  read(written, dialect, chunk)
    .filter(({ status }) => status !== 'invalid')
    .map(({ input }) => input);

const words = [
  'the build folder',
  'build',
  'build, recursive',
  '/srv/data --force',
  '(see above)',
  'I will not run this.',
  'Delete this: {"path": "a"}',
  'see {"path": "a"} and {"path": "b"}',
  '"a"',
  "'a'",
];

describe.each([...Object.entries(forms), ...Object.entries(bare)])('%s', (dialect, write) => {
  it.each(words)('for a tool with several parameters: %s', (body) => {
    // In ReAct, a JSON string stands for the only required field.
    const one = dialect === 'react' && body === '"a"' ? [{ query: 'a' }] : [];
    for (const chunk of [undefined, 1]) {
      expect(ran(write('delete_file', body), dialect, chunk)).toEqual([]);
      expect(ran(write('search', body), dialect, chunk)).toEqual(one);
    }
  });

  it('asks for an object', () => {
    const [call] = read(write('delete_file', 'the build folder'), dialect);
    expect(call?.problems.map(({ message }) => message).join('\n')).toMatch(/JSON object/);
  });

  it('a string in quotes is its content, and inferred', () => {
    expect(ran(write('find', '"cats"'), dialect)).toEqual([{ query: 'cats' }]);
    expect(read(write('find', '"cats"'), dialect)[0]?.repairs).toContainEqual(
      expect.objectContaining({ certainty: 'inferred', path: ['query'] }),
    );
    expect(ran(write('drop', '"users"'), dialect)).toEqual([]);
  });

  it('guard: an object', () => {
    expect(ran(write('delete_file', '{"path": "a"}'), dialect)).toEqual([{ path: 'a' }]);
  });
});

it.each([...Object.entries({ harmony: forms.harmony }), ...Object.entries(bare)])(
  '%s: words are never arguments',
  (dialect, write) => {
    for (const body of ['cats', 'cats and dogs', 'I will not run this.'])
      for (const name of ['find', 'drop']) expect(ran(write?.(name, body) ?? '', dialect)).toEqual([]);
  },
);

it('react: text for the only parameter is inferred', () => {
  expect(ran('Action: find\nAction Input: cats', 'react')).toEqual([{ query: 'cats' }]);
  expect(read('Action: find\nAction Input: cats', 'react')[0]?.status).toBe('mended');
  expect(ran('Action: drop\nAction Input: users', 'react')).toEqual([]);
});

it('guard: langchain-xml has no other arguments than text', () => {
  const [call] = read('<tool>drop</tool><tool_input>users</tool_input>', 'langchain-xml');
  expect(call).toMatchObject({ status: 'ok', input: { table: 'users' } });
});

it('JSON with an action and its input', () => {
  const write = (name: string, body: string) => `\`\`\`json\n{"action": "${name}", "action_input": ${body}}\n\`\`\``;
  expect(ran(write('delete_file', '"the build folder"'), 'json-fence')).toEqual([]);
  expect(ran(write('drop', '"users"'), 'json-fence')).toEqual([]);
  expect(ran(write('find', '"cats"'), 'json-fence')).toEqual([{ query: 'cats' }]);
});
