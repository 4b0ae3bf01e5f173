/** Every class of repair of meaning: what a schema leaves one reading for. */
import type { RepairKind } from '../../src/json/repair.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { Case, CaseTool } from './case.ts';
import { multiEdit, search, writeFile } from './tools.ts';

interface Row {
  readonly name: string;
  readonly tool: CaseTool;
  readonly written: string;
  readonly input: JsonObject;
  readonly repairs: readonly RepairKind[];
  readonly note?: string;
  readonly rows?: readonly string[];
}

const edit = { path: 'a.ts', line: 3, text: 'x' };

const rows: readonly Row[] = [
  {
    name: 'a number as text',
    tool: search,
    written: '{"query":"a","score":"0.5"}',
    input: { query: 'a', score: 0.5 },
    repairs: ['type'],
  },
  {
    name: 'a number where only text fits',
    tool: search,
    written: '{"query":42}',
    input: { query: '42' },
    repairs: ['type'],
  },
  {
    name: 'yes for true',
    tool: search,
    written: '{"query":"a","exact":"yes"}',
    input: { query: 'a', exact: true },
    repairs: ['type'],
  },
  {
    name: 'a list as JSON text',
    tool: search,
    written: '{"query":"a","tags":"[\\"b\\",\\"c\\"]"}',
    input: { query: 'a', tags: ['b', 'c'] },
    repairs: ['list'],
    rows: ['C10'],
  },
  {
    name: 'a single value for a list',
    tool: search,
    written: '{"query":"a","tags":"b"}',
    input: { query: 'a', tags: ['b'] },
    repairs: ['list'],
  },
  {
    name: 'an object as JSON text',
    tool: search,
    written: '{"query":"a","where":"{\\"folder\\":\\"f\\"}"}',
    input: { query: 'a', where: { folder: 'f' } },
    repairs: ['object'],
    rows: ['C10'],
  },
  {
    name: 'an enum value in another case',
    tool: writeFile,
    written: '{"path":"a.ts","content":"x","mode":"CREATE"}',
    input: { path: 'a.ts', content: 'x', mode: 'create' },
    repairs: ['enum'],
  },
  {
    name: 'a key in another case',
    tool: writeFile,
    written: '{"Path":"a.ts","content":"x"}',
    input: { path: 'a.ts', content: 'x' },
    repairs: ['key'],
  },
  {
    name: 'arguments in a wrapper',
    tool: writeFile,
    written: '{"arguments":{"path":"a.ts","content":"x"}}',
    input: { path: 'a.ts', content: 'x' },
    repairs: ['wrapper'],
  },
  {
    name: 'a list of one object',
    tool: writeFile,
    written: '[{"path":"a.ts","content":"x"}]',
    input: { path: 'a.ts', content: 'x' },
    repairs: ['object'],
  },
  {
    name: 'null for an optional field',
    tool: writeFile,
    written: '{"path":"a.ts","content":"x","mode":null}',
    input: { path: 'a.ts', content: 'x' },
    repairs: ['null'],
  },
  {
    name: 'an unknown key',
    tool: writeFile,
    written: '{"path":"a.ts","content":"x","explanation":"because"}',
    input: { path: 'a.ts', content: 'x' },
    repairs: ['dropped'],
    note: "Unknown parameter 'explanation' was ignored",
  },
  {
    name: 'several faults in a list',
    tool: multiEdit,
    written: `{edits: '[{"path":"a.ts","line":"3","text":"x"}]',}`,
    input: { edits: [edit] },
    repairs: ['quote', 'comma', 'list', 'type'],
  },
];

export const meaningCases: readonly Case[] = rows.map(({ name, tool, written, input, repairs, note, rows: from }) => ({
  name,
  tools: [tool],
  ...(from && { rows: from }),
  wrote: { calls: [{ name: tool.name, arguments: written }] },
  expect: [{ is: 'mended', name: tool.name, input, repairs, ...(note !== undefined && { note }) }],
}));
