import type { Typed } from './typed.ts';

const path = { type: 'string', description: 'Path of the file' };

/** Initial tools, in MCP format. */
const tools = JSON.stringify(
  [
    {
      name: 'read_file',
      description: 'Reads a file',
      inputSchema: {
        type: 'object',
        properties: { path, limit: { type: 'integer', minimum: 1 } },
        required: ['path'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true },
    },
    {
      name: 'pattern_search',
      description: 'Searches files for a pattern',
      inputSchema: {
        type: 'object',
        properties: {
          pattern: { type: 'string' },
          files: { type: 'array', items: { type: 'string' } },
          mode: { enum: ['whole_word', 'substring'] },
        },
        required: ['pattern', 'files'],
      },
      annotations: { readOnlyHint: true },
    },
    {
      name: 'write_file',
      description: 'Writes a file',
      inputSchema: { type: 'object', properties: { path, content: { type: 'string' } }, required: ['path', 'content'] },
    },
  ],
  null,
  2,
);

const example = (name: string, text: string, more: Partial<Typed> = {}) => ({
  name,
  typed: { text, tools, as: 'auto', cut: false, ...more },
});

/** Example outputs of models. The first is shown initially. */
export const examples: readonly { readonly name: string; readonly typed: Typed }[] = [
  example(
    'Two damaged calls',
    `I'll look at the code first.
<tool_call>
{"name": "read_file", "arguments": {path: 'src/app.ts', limit: "20",}}
</tool_call>
<tool_call>
{"name": "functions.patternSearch", "arguments": {"Pattern": "TODO", "files": "[\\"src/app.ts\\", \\"src/list.ts\\"]", "mode": "Whole Word"}}
</tool_call>`,
  ),
  example(
    'Only arguments',
    'Sure! Here they are:\n```json\n{\n  "path": "src/app.ts",  // the entry\n  "limit": 20.0\n```',
    { as: 'args:read_file' },
  ),
  example(
    'XML parameters',
    `<tool_call>
<function=pattern_search>
<parameter=pattern>if (a < b)</parameter>
<parameter=files>["src/app.ts"]</parameter>
</function>
</tool_call>`,
  ),
  example('Python', `[read_file(path="src/app.ts", limit=5), pattern_search(pattern='TODO', files=['a.ts', 'b.ts'])]`),
  example(
    'Truncated',
    '<tool_call>\n{"name": "write_file", "arguments": {"path": "src/greet.ts", "content": "/** Says hello to every',
    { cut: true },
  ),
  example(
    'Wrong',
    `<tool_call>
{"name": "read_file", "arguments": {"file": "src/app.ts", "limit": "a dozen"}}
</tool_call>
<tool_call>
{"name": "remove_file", "arguments": {"path": "src/app.ts"}}
</tool_call>`,
  ),
];
