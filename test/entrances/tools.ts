/** The tools of the table. */
import type { CaseTool } from './case.ts';

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

export const readFile: CaseTool = {
  name: 'read_file',
  description: 'Reads a file',
  effect: 'read',
  inputSchema: {
    type: 'object',
    properties: { path: string, limit: { type: 'integer', minimum: 1 } },
    required: ['path'],
    additionalProperties: false,
  },
};

export const writeFile: CaseTool = {
  name: 'write_file',
  description: 'Writes a file',
  inputSchema: {
    type: 'object',
    properties: { path: string, content: string, mode: { enum: ['create', 'append'] } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
};

export const search: CaseTool = {
  name: 'search_notes',
  description: 'Searches notes',
  inputSchema: {
    type: 'object',
    properties: {
      query: string,
      tags: { type: 'array', items: string },
      where: { type: 'object', properties: { folder: string, depth: integer }, required: ['folder'] },
      exact: { type: 'boolean' },
      score: { type: 'number' },
    },
    required: ['query'],
    additionalProperties: false,
  },
};

export const multiEdit: CaseTool = {
  name: 'multi_edit',
  description: 'Edits files',
  inputSchema: {
    type: 'object',
    properties: {
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { path: string, line: integer, text: string },
          required: ['path', 'line', 'text'],
          additionalProperties: false,
        },
      },
    },
    required: ['edits'],
    additionalProperties: false,
  },
};

export const removeFile: CaseTool = {
  name: 'remove_file',
  description: 'Removes a file for good',
  effect: 'destructive',
  inputSchema: {
    type: 'object',
    properties: { path: string, times: integer },
    required: ['path'],
    additionalProperties: false,
  },
};

export const now: CaseTool = {
  name: 'now',
  description: 'Says what time it is',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
};

/** What a failed call is taken to where a toolbox has it. */
export const invalid: CaseTool = {
  name: 'invalid',
  description: 'Do not call; failed calls are told here',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', minLength: 1 },
      error: { type: 'string', minLength: 1 },
      receivedArgs: { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] },
    },
    required: ['tool', 'error', 'receivedArgs'],
  },
  does: { type: 'echoes' },
};
