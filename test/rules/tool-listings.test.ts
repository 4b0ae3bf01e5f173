/** Calls in text: a message that only lists the tools is documentation, and makes no call. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { type Effect, tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { open, string } from './mend-with.ts';

const define = (name: string, keys: readonly string[], effect: Effect, required = keys) =>
  tool({
    name,
    description: name,
    effect,
    inputSchema: open(Object.fromEntries(keys.map((key) => [key, string])), [...required]) as { type: 'object' },
  });
const toolbox = new Toolbox([
  define('search', ['query'], 'read'),
  define('delete_file', ['path'], 'destructive'),
  define('write_file', ['path', 'content'], 'write'),
  define('list_dir', ['path'], 'read', []),
  define('now', [], 'read'),
  define('restart', [], 'write'),
]);
const modes = [{}, { prompted: true }];
const json = (name: string, given: object): string => JSON.stringify({ name, arguments: given });
const marked = (...objects: string[]): string => objects.map((one) => `<tool_call>${one}</tool_call>`).join('\n');
const fenced = (text: string, language = ''): string => `\`\`\`${language}\n${text}\n\`\`\``;
const [search, restart] = [json('search', {}), json('restart', {})];

describe('Calls in text: a list of tools is text', () => {
  const expectText = (text: string) => {
    for (const mode of modes) expect(readCalls(text, toolbox, mode)).toMatchObject({ calls: [], text });
  };
  it.each([
    'search()\ndelete_file()\nnow()',
    'now()\nsearch()',
    '- search()\n- delete_file()\n- now()',
    '1. search()\n2. restart()',
    '[search(), delete_file(), now()]',
    '[now(), restart(), search()]',
    'search(), delete_file(), now()',
    'search();delete_file();restart()',
    `${search}\n${restart}`,
    `[${search}, ${restart}]`,
    `{"tools": [${search}, ${restart}]}`,
    `{"tool_calls": [${search}, ${restart}]}`,
    `tools: [${search}, ${restart}]`,
    'tools: [search(), restart()]',
    'tools: [search, delete_file, restart]',
    'Available tools:\nsearch()\nrestart()\nnow()',
    'Available tools:\n- now()\n- restart()',
    'Tools:\nnow()\nrestart()',
    '<search></search>\n<restart></restart>',
    '<search>\n<query></query>\n</search>\n<restart>\n</restart>',
    '<search><query>string</query></search><write_file><path>string</path><content>string</content></write_file>',
    '<function=search></function>\n<function=restart></function>',
    '<invoke name="search"></invoke>\n<invoke name="restart"></invoke>',
    marked(search, restart),
    `The tools are:\n${marked(search, json('delete_file', {}), restart)}`,
    marked(json('search', { query: 'string' }), restart),
    marked(json('search', { query: '<query>' }), json('list_dir', { path: '...' })),
    'search(query: str)\nrestart()',
    'search(query="string")\nrestart()',
    'search(query="<query>")\nrestart()',
    'search("...")\nrestart()',
    'search(query="")\nrestart()',
    'search("query")\nwrite_file("path", "content")',
    `${json('search', { query: 'string' })}\n${json('list_dir', { path: 'string' })}`,
    `[${json('search', { query: '...' })}, ${json('write_file', { path: '...', content: '...' })}, ${restart}]`,
    `[${json('search', { query: '' })}, ${json('write_file', { path: '', content: '' })}, ${restart}]`,
    `[${json('search', { query: 'your query here' })}, ${restart}]`,
    `[${json('search', { query: 'query' })}, ${json('write_file', { path: 'path', content: 'content' })}, ${restart}]`,
    `[${json('search', { query: { type: 'string' } as never })}, ${restart}]`,
    fenced('search()\nrestart()'),
    fenced('search()\nrestart()', 'tool_code'),
    fenced(`[${search}, ${restart}]`, 'json'),
    '[{"name": "search"}, {"name": "restart"}]',
    '["search()", "restart()"]',
    '[{"search": {}}, {"restart": {}}]',
  ])('%j', expectText);
  it.each(['search()\ndelete_file()'])('guard: %j', expectText);
});

describe('guard: Calls in text: calls without arguments, and calls with values, are made', () => {
  it.each<[string, readonly string[]]>([
    ['now()', ['now ok']],
    ['now()\nrestart()', ['now ok', 'restart ok']],
    ['[now(), restart()]', ['now ok', 'restart ok']],
    [`${json('now', {})}\n${restart}`, ['now ok', 'restart ok']],
    [marked(json('now', {}), restart), ['now ok', 'restart ok']],
    ['<now></now>\n<restart></restart>', ['now ok', 'restart ok']],
    ['list_dir()\nnow()', ['list_dir ok', 'now ok']],
    ['list_dir(path="")\nnow()', ['list_dir ok', 'now ok']],
    ['restart()\nsearch(query="query")', ['restart ok', 'search ok']],
    ['search(query="string")', ['search ok']],
    ['search(query="array")\nsearch(query="list")', ['search ok', 'search ok']],
    [`[${json('search', { query: 'cats' })}, ${restart}]`, ['search ok', 'restart ok']],
    [`${json('write_file', { path: 'a', content: '' })}\n${restart}`, ['write_file ok', 'restart ok']],
    [`[${search}, ${json('search', { query: 'a' })}]`, ['search invalid', 'search ok']],
    [search, ['search invalid']],
  ])('%j', (text, expected) => {
    for (const mode of modes)
      expect(readCalls(text, toolbox, mode).calls.map(({ name, status }) => `${name} ${status}`)).toEqual(expected);
  });
});

describe('guard: Calls in text: a named dialect makes calls of them, and checks them', () => {
  it('hermes', () => {
    const { calls } = readCalls(marked(search, restart), toolbox, { dialect: 'hermes' });
    expect(calls.map(({ status }) => status)).toEqual(['invalid', 'ok']);
  });
});
