/** Every class of repair of writing: what stands in the text, and not what it means. */
import type { RepairKind } from '../../src/json/repair.ts';
import type { JsonObject } from '../../src/json/value.ts';
import type { Case, CaseTool } from './case.ts';
import { now, search, writeFile } from './tools.ts';

type Row = readonly [kind: RepairKind, tool: CaseTool, written: string, input: JsonObject, rows?: readonly string[]];

const file = { path: 'a.ts', content: 'x' };
const good = '{"path":"a.ts","content":"x"}';

const rows: readonly Row[] = [
  ['comma', writeFile, '{"path":"a.ts","content":"x",}', file],
  ['colon', writeFile, '{"path" "a.ts","content":"x"}', file],
  ['quote', writeFile, "{path: 'a.ts', content: 'x'}", file],
  ['inner_quote', writeFile, '{"content":"say "hi" twice","path":"a.ts"}', { path: 'a.ts', content: 'say "hi" twice' }],
  ['escape', writeFile, '{"path":"a.ts","content":"\\d+"}', { path: 'a.ts', content: '\\d+' }],
  ['newline', writeFile, '{"path":"a.ts","content":"one\ntwo"}', { path: 'a.ts', content: 'one\ntwo' }],
  ['literal', search, '{"query":"a","exact":True}', { query: 'a', exact: true }],
  ['number', search, '{"query":"a","score":.5}', { query: 'a', score: 0.5 }],
  ['tuple', search, '{"query":"a","tags":("b","c")}', { query: 'a', tags: ['b', 'c'] }],
  ['comment', writeFile, '{"path":"a.ts", /* that one */ "content":"x"}', file],
  ['fence', writeFile, `\`\`\`json\n${good}\n\`\`\``, file],
  ['prose', writeFile, `Here it is: ${good}`, file],
  ['reasoning', writeFile, `<think>Which file?</think>${good}`, file],
  ['token', writeFile, `${good}<|im_end|>`, file],
  ['invisible', writeFile, `\ufeff${good}`, file],
  ['closer', writeFile, '{"path":"a.ts","content":"x"', file],
  ['extra_closer', writeFile, `${good}}`, file],
  ['opener', writeFile, '"path":"a.ts","content":"x"}', file],
  ['duplicate', writeFile, '{"path":"a.ts","content":"x","path":"a.ts"}', file],
  ['encoding', writeFile, JSON.stringify(good), file],
  ['lines', writeFile, 'path: a.ts\ncontent: x', file],
  ['empty', now, '', {}, ['C8']],
];

export const writingCases: readonly Case[] = rows.map(([kind, tool, written, input, from = []]) => ({
  name: kind.replace('_', ' '),
  rows: from,
  tools: [tool],
  wrote: { calls: [{ name: tool.name, arguments: written }] },
  expect: [{ is: 'mended', name: tool.name, input, repairs: [kind] }],
}));
