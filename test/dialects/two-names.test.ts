/** A call object that names two tools, or has two sets of arguments, says nothing sure. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { mend } from '../../src/mend/mend.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;
const toolbox = new Toolbox([
  tool({ name: 'delete_file', description: 'Deletes', effect: 'destructive', inputSchema }),
  tool({ name: 'read_file', description: 'Reads', effect: 'read', inputSchema }),
]);

const wraps: [dialect: string, wrap: (json: string) => string][] = [
  ['hermes', (json) => `<tool_call>\n${json}\n</tool_call>`],
  ['mistral', (json) => `[TOOL_CALLS] [${json}]`],
  ['llama3-json', (json) => json],
  ['internlm2', (json) => `<|action_start|><|plugin|>${json}<|action_end|>`],
  ['cohere-cmd3', (json) => `<|START_ACTION|>[${json}]<|END_ACTION|>`],
  ['json-fence', (json) => `\`\`\`json\n${json}\n\`\`\``],
];

const ran = (text: string, options: Parameters<typeof readCalls>[2]): string[] =>
  readCalls(text, toolbox, options)
    .calls.filter(({ status }) => status !== 'invalid')
    .map(({ name, input }) => `${name} ${JSON.stringify(input)}`);

const names = ['name', 'tool_name', 'tool', 'function'];
const two = names.flatMap((one) =>
  names.flatMap((other) =>
    one === other ? [] : `{"${one}": "read_file", "${other}": "delete_file", "arguments": {"path": "a"}}`,
  ),
);
const args = '"arguments": {"path": "a"}';

describe.each(wraps)('%s', (dialect, wrap) => {
  it.each([
    ...two,
    `{"name": "read_file", "function": {"name": "delete_file"}, ${args}}`,
    `{"name": "read_file", "function": {"name": "read_file", "arguments": {"path": "b"}}, ${args}}`,
    `{"function": {"name": "read_file", "tool": "delete_file", ${args}}}`,
    `{"function": {"name": "read_file", ${args}, "parameters": {"path": "b"}}}`,
    '{"name": "read_file", "tool": "delete_file", "path": "a"}',
  ])('two names or arguments: %s', (json) => {
    for (const options of [{ dialect }, {}, { prompted: true }, { dialect, chunk: 1 }])
      expect(ran(wrap(json), options)).toEqual([]);
  });
});

describe('hermes', () => {
  const options = { dialect: 'hermes' };
  const marked = (json: string) => `<tool_call>\n${json}\n</tool_call>`;

  it.each([
    '{"name": "read_file", "arguments": {}, "parameters": {"path": "a"}}',
    '{"name": "read_file", "arguments": null, "input": {"path": "a"}}',
  ])('arguments that would be lost: %s', (json) => {
    const [call] = readCalls(marked(json), toolbox, options).calls;
    expect(call?.problems.map(({ code }) => code)).toContain('ambiguous');
  });

  it.each([
    `{"name": "read_file", "tool": "read_file", ${args}}`,
    `{"type": "function", "name": "read_file", ${args}}`,
    `{"type": "function", "function": {"name": "read_file", ${args}}}`,
    `{"name": "read_file", ${args}, "parameters": {"path": "a"}}`,
    `{"name": "read_file", ${args}, "parameters": {}}`,
  ])('guard: one name and one set of arguments: %s', (json) => {
    expect(ran(marked(json), options)).toEqual(['read_file {"path":"a"}']);
  });
});

describe('guard: a wrapper in native arguments', () => {
  it.each([
    `{"name": "read_file", "tool": "delete_file", ${args}}`,
    `{"name": "read_file", "function": "delete_file", ${args}}`,
    '{"arguments": {"path": "a"}, "args": {"path": "b"}}',
    `{"name": "read_file", ${args}, "input": {"path": "b"}}`,
  ])('%s', (written) => {
    expect(mend({ name: 'read_file', arguments: written }, toolbox).status).toBe('invalid');
  });
});
