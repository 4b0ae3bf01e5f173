/** A call in the row of a table is shown to the model: the keys in the header, in cells of their own, or beside the values. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const text = { type: 'string' } as const;
const properties = {
  path: text,
  content: text,
  mode: text,
  size: { type: 'integer' },
  tags: { type: 'array', items: text },
} as const;
const toolbox = new Toolbox([
  tool({ name: 'write_file', description: 'Writes', inputSchema: { type: 'object', properties } }),
]);
const noteOf = (shown: string, role: string, given: object) =>
  readCalls(`<tool_call>${JSON.stringify({ name: 'write_file', arguments: given })}</tool_call>`, toolbox, {
    dialect: 'hermes',
    context: [
      { role: 'user', content: 'Sum it up.' },
      { role, content: shown },
    ],
  }).note;
const short = { path: '/srv/a.md', content: 'hi' };
const long = { path: 'a, b.md', size: 10, tags: ['x', 'y'] };

describe('is an echo', () => {
  it.each([
    '| tool | path | content |\n|---|---|---|\n| write_file | /srv/a.md | hi |',
    'Tool | Path | Content\n--- | --- | ---\n`write_file` | `/srv/a.md` | hi',
    '| # | tool | path | content | mode |\n|---|---|---|---|---|\n| 1 | write_file | /srv/a.md | hi | |',
    '> | tool | path | content |\n> |---|---|---|\n> | write_file | /srv/a.md | hi |',
    '+------------+-----------+---------+\n| tool       | path      | content |\n+------------+-----------+---------+\n| write_file | /srv/a.md | hi      |',
    'tool,path,content\nwrite_file,/srv/a.md,hi',
    'tool,path,content\r\nwrite_file,/srv/a.md,hi\r\n',
    'tool;path;content\nwrite_file;/srv/a.md;hi',
    'tool\tpath\tcontent\nother\tx\ty\nwrite_file\t/srv/a.md\thi',
    '"tool","path","content"\n"write_file","/srv/a.md","hi"',
    'path,content,tool\n/srv/a.md,hi,write_file',
    '{"rows": "tool,path,content\\nwrite_file,/srv/a.md,hi"}',
    'write_file\tpath\t/srv/a.md\tcontent\thi',
    'write_file,path,/srv/a.md,content,hi',
    'tool,write_file\npath,/srv/a.md\ncontent,hi',
    'tool\twrite_file\npath\t/srv/a.md\ncontent\thi',
    '<tr><td>write_file</td><td>path: /srv/a.md</td><td>content: hi</td></tr>',
    '<table>\n<tr>\n<th>tool</th>\n<th>path</th>\n<th>content</th>\n</tr>\n<tr>\n<td>write_file</td>\n<td>/srv/a.md</td>\n<td>hi</td>\n</tr>\n</table>',
    '<table><thead><tr><th>tool<th>path<th>content</thead><tr><td>write_file<td>/srv/a.md<td>hi</table>',
  ])('%j', (shown) => {
    expect(noteOf(shown, 'tool', short)).toBe('echo');
    expect(noteOf(shown, 'user', short)).toBe('echo');
  });

  it.each([
    'tool,path,size,tags\nwrite_file,"a, b.md",10,"[""x"", ""y""]"',
    "| tool | path | size | tags |\n|-|-|-|-|\n| write_file | a, b.md | 10 | ['x', 'y'] |",
  ])('with separators in its values: %j', (shown) => {
    expect(noteOf(shown, 'tool', long)).toBe('echo');
  });
});

describe('guard: is no echo', () => {
  it.each([
    '| tool | path | content |\n|---|---|---|\n| write_file | /srv/b.md | hi |',
    '| tool | path | content | mode |\n|---|---|---|---|\n| write_file | /srv/a.md | hi | append |',
    'tool,path,content\nread_file,/srv/a.md,hi\nwrite_file,/srv/c.md,hi',
    'tool,path,content\n\nSome words.\nwrite_file,/srv/a.md,hi',
    'tool,description\nwrite_file,Writes a file',
    'path,content\n/srv/a.md,hi\nUse write_file to change it.',
    'path,content\n/srv/a.md,hi',
    'Write hi to /srv/a.md with write_file, please.',
    'write_file, /srv/a.md, hi',
  ])('%j', (shown) => {
    expect(noteOf(shown, 'tool', short)).toBeUndefined();
    expect(noteOf(shown, 'user', short)).toBeUndefined();
  });
});
