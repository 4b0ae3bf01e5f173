/** Prompted: JSON in a fence of Python, and records with the keys of a call, are data. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const inputSchema = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } as const;
const effects = ['read', 'write', 'destructive'] as const;
const read = (written: string, effect: (typeof effects)[number] = 'write') => {
  const search = tool({ name: 'search', description: 'Searches', effect, inputSchema });
  const { text, calls } = readCalls(written, new Toolbox([search]), { prompted: true });
  return { text, calls: calls.map(({ name, status }) => (status === 'invalid' ? status : name)) };
};
const json = '{"name": "search", "arguments": {"query": "a"}}';
const fenced = (language: string, body: string) => `\`\`\`${language}\n${body}\n\`\`\``;

describe('JSON in a fence of Python is text', () => {
  it.each(
    ['python', 'py', 'Python', 'python3'].flatMap((language) => [
      fenced(language, json),
      fenced(language, `[${json}]`),
      fenced(language, `${json}\n${json.replace('"a"', '"b"')}`),
      `Here is the function call:\n\n${fenced(language, json)}`,
      `I search for it.\n\n${fenced(language, `[${json}]`)}\n`,
    ]),
  )('%j', (written) => {
    for (const effect of effects) expect(read(written, effect)).toEqual({ text: written, calls: [] });
  });
});

describe('guard: calls in the fences of their own format', () => {
  it.each([
    ...['json', 'tool_code', ''].map((language) => [fenced(language, json), '']),
    ...['python', 'py', 'Python', 'python3'].flatMap((language) => [
      [fenced(language, 'search(query="a")'), ''],
      [fenced(language, "[{'name': 'search', 'arguments': {'query': 'a'}}]"), ''],
      [`Here is the function call:\n\n${fenced(language, 'search(query="a")')}`, 'Here is the function call:'],
    ]),
  ])('%j', (written, text) => {
    expect(read(written)).toEqual({ text, calls: ['search'] });
  });
});

describe('a record with text or a number for its arguments is data', () => {
  const row = '{"id": "row-1", "input": "Find the customer with the red door.", "name": "search"}';
  it.each([
    row,
    `${row}\n${row.replace('row-1', 'row-2')}`,
    `[${row}]`,
    fenced('json', row),
    `Here is the function call:\n\n${row}`,
    '{"name": "search", "arguments": 5}',
    '{"name": "search", "parameters": "none"}',
    '{"tool": "search", "input": true}',
    '{"function": {"name": "search", "arguments": "red door"}}',
    '{"tool_calls": [{"name": "search", "args": "red door"}]}',
  ])('%j', (written) => {
    for (const effect of effects) expect(read(written, effect)).toEqual({ text: written, calls: [] });
  });
});

describe('guard: arguments that are an object, also as text', () => {
  it.each([
    json,
    JSON.stringify({ name: 'search', arguments: '{"query": "a"}' }),
    JSON.stringify({ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{"query": "a"}' } }),
  ])('%j', (written) => {
    expect(read(written)).toEqual({ text: '', calls: ['search'] });
  });
});
