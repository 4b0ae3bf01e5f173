/** An element shows the calls in it, however many lines its opening tag has and in whatever script its name is. */
import { describe, expect, it } from 'vitest';
import { readCalls } from '../../src/dialect/read-calls.ts';
import { renderCalls } from '../../src/dialect/render.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { toolWith } from '../dialects/toolboxes.ts';

const box = new Toolbox([toolWith('post', { text: { type: 'string' } }, 'write')]);
const callIn = (dialect: string) => renderCalls([{ name: 'post', arguments: { text: 'Hi' } }], dialect, box);
const runs = (text: string, dialect: string) =>
  [undefined, 1, 7].map((chunk) => {
    const result = readCalls(text, box, { dialect, ...(chunk && { chunk }) });
    return result.calls.filter(({ status }) => status !== 'invalid').length;
  });
const dialects = ['hermes', 'kimi-k2', 'qwen3-coder'] as const;

describe.each([
  ['<web_page\n  url="https://a.b/c"\n  lang="en">\n', '\n</web_page>'],
  ['The page:\n<page\n  url="a">\n', '\n</page>'],
  ['<page url="a"\n      lang="en"\n>\n', '\n</page >'],
  ['<page\n  on={() => x}\n  url="a">\n', '\n</page>'],
  ['<page\r\n  url="a"\r\n>\r\n', '\r\n</page>'],
  ['<Email\n  from="kim@example.com"\n  subject="It is\n  long">\n\nHi.\n\n', '\n</Email>'],
  ['<邮件>\n', '\n</邮件>'],
  ['<Письмо от="Ким">\n', '\n</Письмо>'],
  ['<メール\n  差出人="キム"\n>\n', '\n</メール>'],
  ['<página>', '</página>'],
])('%j', (before, behind) => {
  it.each(dialects)('shows the call: %s', (dialect) => {
    expect(runs(before + callIn(dialect) + behind, dialect)).toEqual([0, 0, 0]);
  });
});

describe('guard: runs the call', () => {
  it.each([
    ['I check that a <b\nand c > d.\n', ''],
    ['<page\n  url="a"\n/>\n', ''],
    ['<page\n  url="a">\nHi.\n</page>\n', ''],
    ['<邮件>你好。</邮件>\n', ''],
    ['I check that a < b.\n\nNow c > d.\n', '\n</b>'],
    ['<answer\n  lang="en">\n', '\n</answer>'],
    ['<page\n\nIt is > 5.\n', '\n</page>'],
  ])('%j', (before, behind) => {
    for (const dialect of dialects)
      expect([dialect, runs(before + callIn(dialect) + behind, dialect)]).toEqual([dialect, [1, 1, 1]]);
  });
});
