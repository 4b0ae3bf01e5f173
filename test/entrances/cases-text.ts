/** Calls that a model wrote into its words. */
import type { Case, Expected } from './case.ts';
import { readFile, search } from './tools.ts';

const written = (name: string, text: string, ...expect: readonly Expected[]): Case => ({
  name,
  rows: ['C6'],
  tools: [readFile, search],
  wrote: { text },
  expect,
});

const ok: Expected = { is: 'ok', name: 'read_file', input: { path: 'a.ts', limit: 5 } };
const mended: Expected = { ...ok, is: 'mended' };

export const textCases: readonly Case[] = [
  written(
    'hermes',
    'I look.\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.ts", "limit": 5}}\n</tool_call>',
    ok,
  ),
  written(
    'hermes, damaged',
    "<tool_call>\n{'name': 'readFile', 'arguments': {'path': 'a.ts', 'limit': '5',}}\n</tool_call>",
    mended,
  ),
  written(
    'qwen3-coder',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na.ts\n</parameter>\n<parameter=limit>\n5\n</parameter>\n</function>\n</tool_call>',
    ok,
  ),
  written(
    'anthropic-xml',
    '<function_calls>\n<invoke name="read_file">\n<parameter name="path">a.ts</parameter>\n<parameter name="limit">5</parameter>\n</invoke>\n</function_calls>',
    ok,
  ),
  written('llama pythonic', "<|python_start|>[read_file(path='a.ts', limit=5)]<|python_end|>", ok),
  written('mistral', '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a.ts", "limit": 5}}]', ok),
  written(
    'two calls',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a.ts", "limit": 5}}</tool_call>\n<tool_call>{"name": "search_notes", "arguments": {"query": "b"}}</tool_call>',
    ok,
    { is: 'ok', name: 'search_notes', input: { query: 'b' } },
  ),
  written('missing field', '<tool_call>{"name": "read_file", "arguments": {"limit": 5}}</tool_call>', {
    is: 'invalid',
    errorType: 'validation',
    says: "Field 'path' is required but missing",
  }),
  written('truncated', '<tool_call>{"name": "read_file", "arguments": {"path": "a', {
    is: 'invalid',
    errorType: 'truncated',
    says: 'in smaller pieces',
  }),
  {
    ...written('truncated by length', '<tool_call>{"name": "read_file", "arguments": {"path": "a', {
      is: 'invalid',
      errorType: 'truncated',
      says: 'in smaller pieces',
    }),
    wrote: { text: '<tool_call>{"name": "read_file", "arguments": {"path": "a', finish: 'length' },
  },
];
