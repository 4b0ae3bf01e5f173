import type { McpTool } from '../tool/mcp.ts';
import type { RawCall } from '../turn/turn.ts';

/** The tools of the tour: what an agent that edits code would have. */
export const tourTools: readonly McpTool[] = [
  {
    name: 'read_file',
    description: 'Reads a file',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer', minimum: 1 } },
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
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path', 'content'],
    },
  },
  {
    name: 'fs_multi_edit',
    description: 'Edits several files',
    inputSchema: {
      type: 'object',
      properties: {
        edits: {
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, find: { type: 'string' }, replace: { type: 'string' } },
            required: ['path', 'find', 'replace'],
          },
        },
      },
      required: ['edits'],
    },
  },
  {
    name: 'delete_file',
    description: 'Deletes a file for good',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' }, days: { type: 'integer' } },
      required: ['path'],
    },
    annotations: { destructiveHint: true },
  },
];

/** A damaged call and what it shows. */
export interface TourCase {
  readonly title: string;
  readonly call: RawCall & { readonly arguments: string };
  readonly tries?: number;
}

export const tourCases: readonly TourCase[] = [
  {
    title: 'Prose, a fence, bare keys, single quotes, a trailing comma',
    call: {
      name: 'read_file',
      arguments: "Sure! I'll open it:\n```json\n{path: 'src/app.ts', limit: 20,}\n```",
    },
  },
  {
    title: 'The name in another spelling, a list as text, a key and a value nearly right',
    call: {
      name: 'functions.patternSearch',
      arguments: '{"Pattern": "TODO", "files": "[\\"a.ts\\", \\"b.ts\\"]", "mode": "Whole Word"}',
    },
  },
  {
    title: 'Quotes and line breaks inside a string',
    call: {
      name: 'write_file',
      arguments: '{"path": "greet.py", "content": "def greet():\n  print("hello")\n"}',
    },
  },
  {
    title: 'Cut off by the token limit: half a file must not be written',
    call: {
      name: 'write_file',
      arguments: '{"path": "app.ts", "content": "export const start = () => {\\n  conn',
      finishReason: 'length',
    },
  },
  {
    title: 'A missing field: the second time, the fault is marked in place',
    call: {
      name: 'fs_multi_edit',
      arguments: '{"edits": [{"path": "a.ts", "find": "x", "replace": "y"}, {"find": "old", "replace": "new"}]}',
    },
    tries: 2,
  },
  {
    title: 'A destructive tool takes repairs of writing only, none of meaning',
    call: { name: 'delete_file', arguments: '{"path": "build", "days": "30"}' },
  },
];
