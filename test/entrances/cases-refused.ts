/** What is refused: fields that are missing or wrong, text with two readings, text that was cut off. */
import type { FinishReason } from '../../src/model/index.ts';
import type { Case, CaseTool, Expected } from './case.ts';
import { multiEdit, now, readFile, search, writeFile } from './tools.ts';

type Bad = Extract<Expected, { is: 'invalid' }>['errorType'];

const refused = (
  name: string,
  tool: CaseTool,
  written: string,
  says: string,
  { rows = [], errorType = 'validation', finish, times }: Refusal = {},
): Case => ({
  name,
  rows,
  tools: [tool],
  wrote: { calls: [{ name: tool.name, arguments: written }], ...(finish && { finish }) },
  expect: [{ is: 'invalid', errorType, says }],
  ...(times !== undefined && { times }),
});

interface Refusal {
  readonly rows?: readonly string[];
  readonly errorType?: Bad;
  readonly finish?: FinishReason;
  readonly times?: number;
}

const missing = "Field 'path' is required but missing";

/** S4.1: found before anything runs. */
export const fieldCases: readonly Case[] = [
  refused('no fields', readFile, '{}', missing, { rows: ['S4.1', 'S4.6', 'C1'] }),
  refused('missing required field', readFile, '{"limit":5}', missing, { rows: ['S4.1'] }),
  refused('missing field in a list item', multiEdit, '{"edits":[{"line":1,"text":"x"}]}', "Field 'edits.0.path' is", {
    rows: ['S4.1'],
  }),
  refused(
    'missing field in an object',
    search,
    '{"query":"a","where":{"depth":2}}',
    "Field 'where.folder' is required",
    {
      rows: ['S4.1'],
    },
  ),
  refused(
    'two missing fields and an invalid one',
    writeFile,
    '{"mode":"burn"}',
    "3. Field 'mode' must be one of: create, append",
    {
      rows: ['S4.1', 'C12'],
    },
  ),
  refused('a wrong type', readFile, '{"path":"a.ts","limit":"many"}', "Field 'limit' expected integer, got string", {
    rows: ['C14'],
  }),
  refused('below the minimum', readFile, '{"path":"a.ts","limit":0}', "Field 'limit' must be at least 1, got 0"),
  refused('an empty list', multiEdit, '{"edits":[]}', "Field 'edits' must have at least 1 items, got 0"),
  refused('a misspelled key', writeFile, '{"pth":"a.ts","content":"x"}', "did you mean 'path'?"),
  refused('no JSON', writeFile, 'I would rather not', 'Parameter validation failed', { rows: ['C4', 'C15'] }),
];

/** Where a repair would be a guess. */
export const guessCases: readonly Case[] = [
  refused('a duplicate key with different values', readFile, '{"path":"a.ts","path":"b.ts"}', "Field 'path'", {
    rows: ['F11'],
  }),
  refused('an integer past 2^53', readFile, '{"path":"a.ts","limit":9007199254740993}', "Field 'limit'", {
    rows: ['F10'],
  }),
  refused('a list as text with commas', search, '{"query":"a","tags":"b, c"}', "Field 'tags' expected array"),
  refused('a fraction for an integer', readFile, '{"path":"a.ts","limit":3.7}', "Field 'limit'"),
  refused('a number in words', readFile, '{"path":"a.ts","limit":"12 lines"}', "Field 'limit' expected integer"),
  refused(
    'one invalid list item',
    multiEdit,
    '{"edits":[{"path":"a.ts","line":1,"text":"x"},{"path":"b.ts","line":"two","text":"y"}]}',
    "Field 'edits.1.line' expected integer, got string",
    { rows: ['C16'] },
  ),
  refused('two different objects', readFile, '{"path":"a.ts"} {"path":["b.ts"]}', 'Parameter validation failed'),
  refused('a path with two readings', readFile, '{"path":"C:\\Users\\new"}', "Field 'path'"),
];

const text = '{"path":"a.ts","content":"Once upon a ti';
const cut = { errorType: 'truncated' } as const;

/** Cut off: never run, whatever the message says of its end. */
export const cutCases: readonly Case[] = [
  refused('in a string, by length', writeFile, text, 'was cut off by the output token limit', {
    ...cut,
    finish: 'length',
    rows: ['C2'],
  }),
  refused('in a string, with a normal finish reason', writeFile, text, 'in smaller pieces', {
    ...cut,
    rows: ['C18'],
  }),
  refused('after a complete string, by length', writeFile, '{"path":"a.ts","content":"x"', 'in smaller pieces', {
    ...cut,
    finish: 'length',
    rows: ['C2'],
  }),
  refused('only the name, by length', writeFile, '', 'in smaller pieces', { ...cut, finish: 'length' }),
  refused('only the name, by length, no arguments expected', now, '', 'in smaller pieces', {
    ...cut,
    finish: 'length',
  }),
  refused('in a list', search, '{"query":"a","tags":["b"', "Field 'tags' is not closed", cut),
  {
    name: 'only the last of two calls, by length',
    rows: ['C2'],
    tools: [writeFile],
    wrote: {
      calls: [
        { name: 'write_file', arguments: '{"path":"a.ts","content":"x"}' },
        { name: 'write_file', arguments: text },
      ],
      finish: 'length',
    },
    expect: [
      { is: 'ok', name: 'write_file', input: { path: 'a.ts', content: 'x' } },
      { is: 'invalid', errorType: 'truncated', says: 'in smaller pieces' },
    ],
  },
];

/** The words grow with each failed try. */
export const triesCases: readonly Case[] = [
  refused('the second time', readFile, '{"limit":5}', 'The arguments as received:', { times: 2, rows: ['C1'] }),
  refused('the third time', readFile, '{"limit":5}', 'Example of a call to read_file:', { times: 3, rows: ['C1'] }),
];
