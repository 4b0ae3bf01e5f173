/** Names, and what effects allow. */
import type { Case, CaseTool, Expected } from './case.ts';
import { invalid, now, readFile, removeFile, writeFile } from './tools.ts';

const file = { path: 'a.ts', content: 'x' };

const named = (
  name: string,
  written: string,
  expected: Expected,
  rows: readonly string[] = [],
  tools: readonly CaseTool[] = [readFile, writeFile],
): Case => ({
  name,
  rows,
  tools,
  wrote: { calls: [{ name: written, arguments: JSON.stringify(file) }] },
  expect: [expected],
});

const found: Expected = { is: 'mended', name: 'write_file', input: file, repairs: ['name'] };
const unknown = (says: string): Expected => ({ is: 'invalid', errorType: 'unknown_tool', says });

export const nameCases: readonly Case[] = [
  named('another case', 'WriteFile', found),
  named('other separators', 'writefile', found, ['C5']),
  named('a prefix', 'default_api:write_file', found, ['C13']),
  named('the prefix of a server', 'mcp__files__write_file', found),
  named('a stray token', 'write_file<|channel|>commentary', found),
  named('one wrong letter, tool that writes', 'write_fike', unknown("did you mean 'write_file'"), ['C5']),
  named('unknown tool', 'launch_rocket', unknown('read_file, write_file'), ['C4', 'C5']),
  named(
    'two matching tools',
    'write',
    unknown('write'),
    [],
    [
      { ...writeFile, name: 'files__write' },
      { ...writeFile, name: 'web__write' },
    ],
  ),
  {
    name: 'one wrong letter, tool that reads',
    needs: ['effects'],
    tools: [{ ...readFile, name: 'read_document' }, writeFile],
    wrote: { calls: [{ name: 'read_docmuent', arguments: '{"path":"a.ts"}' }] },
    expect: [{ is: 'mended', name: 'read_document', input: { path: 'a.ts' }, repairs: ['name'] }],
  },
  {
    name: 'a name without letters or digits',
    rows: ['S4.4', 'S4.6'],
    tools: [now],
    wrote: {
      calls: [
        { name: '⚙', arguments: '{}' },
        { name: 'now', arguments: '{}' },
      ],
    },
    expect: [{ is: 'ok', name: 'now', input: {} }],
  },
];

const remove = (name: string, written: string, expected: Expected): Case => ({
  name,
  tools: [removeFile],
  needs: ['effects'],
  wrote: { calls: [{ name: 'remove_file', arguments: written }] },
  expect: [expected],
});

export const effectCases: readonly Case[] = [
  remove('a lossless repair', "{path: 'a.ts',}", {
    is: 'mended',
    name: 'remove_file',
    input: { path: 'a.ts' },
    repairs: ['quote', 'comma'],
  }),
  remove('an inferred repair', '{"path":"a.ts","times":"2"}', {
    is: 'invalid',
    errorType: 'validation',
    says: "Field 'times'",
  }),
];

const fallback = (
  name: string,
  written: Case['wrote'],
  says: string,
  errorType: 'validation' | 'unknown_tool',
): Case => ({
  name,
  rows: ['C3', 'S4.2'],
  tools: [readFile, invalid],
  wrote: written,
  expect: [{ is: 'invalid', errorType, says }],
});

/** The tool named `invalid` gives the words. */
export const fallbackCases: readonly Case[] = [
  fallback(
    'a failed check',
    { calls: [{ name: 'read_file', arguments: '{"limit":5}' }] },
    '{"tool":"read_file","error":"Parameter validation failed:',
    'validation',
  ),
  fallback(
    'an unknown tool',
    { calls: [{ name: 'launch_rocket', arguments: '{"to":"moon"}' }] },
    '"receivedArgs":{"to":"moon"}}',
    'unknown_tool',
  ),
];
