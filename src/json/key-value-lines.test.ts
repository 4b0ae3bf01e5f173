import { expect, it } from 'vitest';
import { readKeyValueLines } from './key-value-lines.ts';

const known = new Set(['path', 'limit', 'tags', 'note']);
const read = (text: string) => readKeyValueLines(text, (key) => known.has(key));

it.each([
  ['path: a.ts\nlimit: 5', { path: 'a.ts', limit: '5' }],
  ['"path": a.ts', { path: 'a.ts' }],
  ['```yaml\npath: a.ts\n```', { path: 'a.ts' }],
  ['tags: ["a", "b"]', { tags: ['a', 'b'] }],
  ['note: see http://x.y/?a=b', { note: 'see http://x.y/?a=b' }],
  ['note: about that time: noon', { note: 'about that time: noon' }],
])('reads %j', (text, value) => expect(read(text)).toEqual(value));

it.each([
  ['a key nobody knows, on a line of its own', 'path: a\nother: b'],
  ['words before the first key', 'Here is path: a'],
  ['a key said twice', 'path: a\npath: b'],
  ['a key without a value', 'path:\nlimit: 5'],
  ['no key at all', 'just words'],
  ['two keys on one line', 'path=a.ts limit=5'],
  ['two keys on one line, with quotes', 'path="a b.ts", limit=5'],
  ['items of a list', '- path: a.ts\n* limit: 5'],
  ['__proto__', '__proto__: 1'],
  ['a list that is cut', 'tags: ["a", "b'],
  ['more than it looks at', `path: ${'x'.repeat(30_000)}`],
])('reads nothing out of %s', (_, text) =>
  expect(readKeyValueLines(text, (key) => known.has(key) || key === '__proto__')).toBeUndefined(),
);
