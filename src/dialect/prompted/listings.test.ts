import { describe, expect, it } from 'vitest';
import { toolWith } from '../../../test/dialects/toolboxes.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { readCalls } from '../read-calls.ts';

const string = { type: 'string' };
const toolbox = new Toolbox([
  toolWith('restart', {}, 'write'),
  toolWith('sync_all', {}, 'write'),
  toolWith('search', { query: string }, 'read'),
  toolWith('touch', { path: string }, 'write'),
]);
const read = (answer: string) => readCalls(answer, toolbox, { prompted: true });
const python = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;

describe('a line that names the parameters of a tool makes all lines data', () => {
  it.each([
    'search(query)\nrestart()',
    'sync_all()\nsearch(query: str)\ntouch(path: str)',
    'sync_all()\nrestart()\nsearch(query: str) -> list',
    'touch(path)\nrestart()',
    python('restart()\nsearch(query)'),
    python('search(query: str)\nrestart()'),
  ])('%j', (answer) => {
    expect(read(answer)).toMatchObject({ calls: [], text: answer });
  });
});

describe('conditional Python code runs no tool that writes', () => {
  it.each([
    'if exists("b"):\n    touch(path="a")\nelse:\n    touch(path="b")',
    'try:\n    x = load()\nexcept OSError:\n    touch(path="b")',
    'cb = lambda: touch(path="b")',
    'DEBUG = False\nif DEBUG:\n    touch(path="b")',
    'for x in []:\n    touch(path="b")',
    'while not done():\n    touch(path="b")',
    'confirmed and touch(path="b")',
    'False and touch(path="b")',
    'with pytest.raises(PermissionError):\n    touch(path="b")',
    'match cmd:\n    case "w":\n        touch(path="b")',
    'if __name__ == "__main__":\n    print(touch(path="b"))',
  ])('%j', (code) => {
    expect(read(python(code))).toMatchObject({ calls: [], text: python(code) });
  });
});

const statuses = (answer: string) => read(answer).calls.map(({ status }) => status);

describe('guard: plain calls run', () => {
  it.each([
    ['restart()\nsync_all()', ['ok', 'ok']],
    ['restart()\nsearch(query="query")', ['ok', 'ok']],
    [python('touch(path="b")'), ['ok']],
  ])('%j', (answer, expected) => expect(statuses(answer)).toEqual(expected));
});

describe('calls next to other statements are refused', () => {
  it.each([python('name = "b"\ntouch(name)'), python('if ready:\n    search(query="b")')])('%j', (answer) =>
    expect(statuses(answer)).toEqual(['invalid']),
  );
});
