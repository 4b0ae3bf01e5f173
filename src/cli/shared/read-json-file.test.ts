import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readConfigFile, readJsonFile } from './read-json-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-json-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (text: string): string => {
  const file = join(folder, 'a.json');
  writeFileSync(file, text);
  return file;
};

it.each<[string, unknown]>([
  ['{"a": 1, // one\n "b": [1, 2,], }', { a: 1, b: [1, 2] }],
  [
    '/* first */ {"a": "// not one", "b": "/* nor this */", "c": ",]"}',
    { a: '// not one', b: '/* nor this */', c: ',]' },
  ],
  ['{"a": "\\"//", "b": "\\\\"} // end', { a: '"//', b: '\\' }],
  ['{"a": [1, /* , */ ], // ]\n}', { a: [1] }],
  ['\uFEFF{"url": "http://127.0.0.1"}', { url: 'http://127.0.0.1' }],
])('reads comments and trailing commas in a configuration: %s', (text, value) => {
  expect(readConfigFile(written(text))).toEqual(value);
});

it.each<[string, RegExp]>([
  ['{\n  // a comment\n  "a": 1\n  "b": 2\n}', /a\.json:4:3: invalid JSON: unexpected "\\""/],
  ['{"a": [1,, 2]}', /:1:10: invalid JSON: unexpected ","/],
  ["{'a': 1}", /:1:2: invalid JSON/],
  ['{"a": 1 /* open', /invalid JSON/],
])('reports the position of other faults: %s', (text, message) => {
  expect(() => readConfigFile(written(text))).toThrow(message);
});

it('guard: other files are plain JSON', () => {
  expect(() => readJsonFile(written('{"a": 1,}'))).toThrow(/invalid JSON/);
  expect(() => readJsonFile(written('// x\n{}'))).toThrow(/invalid JSON/);
});
