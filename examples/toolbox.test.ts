import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Tool, toolContext } from '../src/tools/tool.ts';
import type { Fetch } from './fetch-webpage.ts';
import { exampleToolbox } from './toolbox.ts';

const pages: Record<string, string> = {
  'https://example.com/': '<html><script>var x = "<p>";</script><h1>Example</h1>\n<p>Second line</p></html>',
};
const fetchPage: Fetch = async (url) => {
  const page = pages[url];
  return { ok: page !== undefined, status: page === undefined ? 404 : 200, text: async () => page ?? '' };
};

let folder = '';
let root = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  root = join(folder, 'workspace');
  await mkdir(root);
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await symlink(join(folder, 'secret.txt'), join(root, 'link.txt'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => writeFile(join(root, 'a.txt'), 'one\nTwo\nthree\ntwo'));

const get = (name: string): Tool => exampleToolbox({ root, fetch: fetchPage }).get(name) as Tool;
const problemsOf = (name: string, input: unknown) => {
  const checked = get(name).schema.check(input);
  return checked.ok ? [] : checked.problems;
};
/** Checks, then runs with the checked value, as the pipeline does. */
async function run(name: string, input: unknown, notes: string[] = []): Promise<unknown> {
  const checked = get(name).schema.check(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return get(name).execute?.(checked.value, toolContext({ note: (text) => notes.push(text) }));
}

it('all example tools pass the checks of a toolbox', () => {
  const names = exampleToolbox({ root })
    .list()
    .map(({ name }) => name);
  expect(names).toEqual([
    'read_file',
    'pattern_search',
    'multi_replace_string_in_file',
    'fs_multi_edit',
    'fast_editor',
    'fetch_webpage',
  ]);
});

const lines = { startLine: 1, endLine: 1, content: '1' };
const edit = { filePath: 'a.txt', oldString: 'one', newString: '1' };
const xmlEdit = '<edit><filePath>a.txt</filePath><oldString>one</oldString><newString>1</newString></edit>';

describe('S2.4 lists as JSON text, XML text and real lists', () => {
  it.each([
    ['pattern_search', { searchPattern: 'x' }, 'files', ['a.txt'], '["a.txt"]', '<files><file>a.txt</file></files>'],
    ['fast_editor', { path: 'a.txt' }, 'edits', [lines], JSON.stringify([lines])],
    ['multi_replace_string_in_file', {}, 'edits', [edit], JSON.stringify([edit]), `<edits>${xmlEdit}</edits>`],
    [
      'fetch_webpage',
      {},
      'urls',
      ['https://example.com/'],
      '["https://example.com/"]',
      '<url>https://example.com/</url>',
    ],
  ])('S2.4 %s', (name, rest, field, list, ...texts) => {
    for (const received of [list, ...texts]) {
      expect(get(name).schema.check({ ...rest, [field]: received })).toMatchObject({
        ok: true,
        value: { [field]: list },
      });
    }
  });
});

describe('S2.3 what fails to parse is reported at its field, with what was received', () => {
  it.each([
    ['pattern_search', { searchPattern: 'x', files: '["a.txt"' }, ['files']],
    ['pattern_search', { searchPattern: 'x', files: 'a.txt' }, ['files']],
    ['multi_replace_string_in_file', { edits: '<edit><filePath>a' }, ['edits']],
    ['fetch_webpage', { urls: '<url>https://example.com/' }, ['urls']],
    ['fast_editor', { path: 'a.txt', edits: '[{"startLine": 1' }, ['edits']],
  ])('S2.3 %s %j', (name, input, path) => {
    const [problem, ...more] = problemsOf(name, input);
    expect(more.filter((other) => other.path[0] !== path[0])).toEqual([]);
    expect(problem).toMatchObject({
      path,
      code: 'type',
      received: Object.values(input).at(-1),
      message: expect.stringContaining('expected array, got string'),
    });
  });

  it('S2.3 a bad item in good text is reported at its own path', () => {
    const bad = JSON.stringify([edit, { filePath: 'b.txt', oldString: 'x' }]);
    expect(problemsOf('multi_replace_string_in_file', { edits: bad })).toMatchObject([
      { path: ['edits', 1, 'newString'] },
    ]);
    expect(problemsOf('fetch_webpage', { urls: '["file:///etc/passwd"]' })).toMatchObject([{ path: ['urls', 0] }]);
  });
});

describe('fast_editor', () => {
  const edited = async (...edits: (typeof lines)[]) => {
    const result = await run('fast_editor', { path: 'a.txt', edits });
    return [result, await readFile(join(root, 'a.txt'), 'utf8')];
  };

  it('replaces, inserts and deletes lines by the numbers before all edits', async () => {
    const [result, text] = await edited(
      ...[lines, { startLine: 3, endLine: 2, content: 'new\nlines' }, { startLine: 4, endLine: 4, content: '' }],
    );
    expect(result).toMatchObject({ ok: true, edits: 3, lines: 5 });
    expect(text).toBe('1\nTwo\nnew\nlines\nthree');
  });

  it.each([
    [
      [
        { startLine: 1, endLine: 2, content: '' },
        { startLine: 2, endLine: 3, content: '' },
      ],
      'overlap',
    ],
    [[{ startLine: 9, endLine: 9, content: '' }], 'are not in the file, which has 4'],
    [[{ startLine: 3, endLine: 1, content: '' }], 'end before they start'],
  ])('writes nothing for %j', async (edits, error) => {
    const [result, text] = await edited(...edits);
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(error) });
    expect(text).toBe('one\nTwo\nthree\ntwo');
  });
});

describe('S1.5 fs_multi_edit', () => {
  it('S1.5 the missing path of each edit is a problem of its own', () => {
    const edits = [
      { find: 'a', replace: 'b' },
      { find: 'c', replace: 'd' },
    ];
    expect(problemsOf('fs_multi_edit', { edits })).toMatchObject([
      { path: ['edits', 0, 'path'], code: 'required' },
      { path: ['edits', 1, 'path'], code: 'required' },
    ]);
  });

  it('S1.5 a text that is not there gives recommendations of its own, and nothing is written', async () => {
    const edits = [
      { path: 'a.txt', find: 'one', replace: '1' },
      { path: 'a.txt', find: 'four', replace: '4' },
    ];
    const result = await run('fs_multi_edit', { edits });
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringContaining('Edit 2'),
      recommendations: [expect.stringContaining('a.txt')],
    });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\nTwo\nthree\ntwo');
  });

  it('edits one after the other, in one file too', async () => {
    const edits = [
      { path: 'a.txt', find: 'one', replace: 'two' },
      { path: 'a.txt', find: 'two', replace: '2', replace_all: true },
    ];
    expect(await run('fs_multi_edit', { edits })).toEqual({ ok: true, files: ['a.txt'], replaced: 3 });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('2\nTwo\nthree\n2');
  });
});

describe('the tools run', () => {
  it('read_file reads all, or some lines and notes the rest', async () => {
    const notes: string[] = [];
    expect(await run('read_file', { file_path: 'a.txt' }, notes)).toBe('one\nTwo\nthree\ntwo');
    expect(await run('read_file', { file_path: 'a.txt', offset: 2, limit: 1 }, notes)).toBe('Two');
    expect(notes).toEqual(['2 more lines follow']);
  });

  it.each(['../secret.txt', 'link.txt', '/etc/hostname'])('read_file stays inside its root: %s', async (file_path) => {
    await expect(run('read_file', { file_path })).rejects.toThrow(/outside the workspace|not found/);
  });

  it('read_file says which file is missing', async () => {
    await expect(run('read_file', { file_path: 'none.txt' })).rejects.toThrow('File not found: none.txt');
  });

  it('pattern_search finds lines, in any case unless asked', async () => {
    const search = (more: object) => run('pattern_search', { searchPattern: '^tw\\S$', files: '["a.txt"]', ...more });
    expect(await search({ contextLinesBefore: 1, contextLinesAfter: 0 })).toMatchObject({
      totalMatches: 2,
      matches: [
        { file: 'a.txt', line: 2, text: 'one\nTwo' },
        { file: 'a.txt', line: 4, text: 'three\ntwo' },
      ],
    });
    expect(await search({ caseSensitive: true })).toMatchObject({ totalMatches: 1 });
    expect(await run('pattern_search', { searchPattern: '(a)\\1', files: ['a.txt'] })).toMatchObject({ ok: false });
  });

  it('multi_replace_string_in_file replaces what came as XML', async () => {
    expect(await run('multi_replace_string_in_file', { edits: xmlEdit })).toMatchObject({ ok: true, replaced: 1 });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('1\nTwo\nthree\ntwo');
  });

  it('fetch_webpage gives text without tags and tells what failed', async () => {
    const urls = ['https://example.com/', 'https://example.com/none'];
    expect(await run('fetch_webpage', { urls })).toEqual({
      ok: true,
      pages: [
        { url: urls[0], text: 'Example\nSecond line' },
        { url: urls[1], error: 'HTTP 404' },
      ],
    });
    expect(await run('fetch_webpage', { urls: [urls[0]], query: 'second' })).toMatchObject({
      pages: [{ text: 'Second line' }],
    });
  });
});
