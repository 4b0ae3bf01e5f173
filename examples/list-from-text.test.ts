import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listFromText } from './list-from-text.ts';

const files = listFromText('file');
const edits = listFromText('edit', ['path', 'text']);

describe('listFromText', () => {
  it.each<[string, unknown, unknown]>([
    ['a list', ['a'], ['a']],
    ['JSON text', ' ["a", "b"] ', ['a', 'b']],
    ['an empty JSON list', '[]', []],
    ['elements', '<file>a</file>\n<file>b</file>', ['a', 'b']],
    ['elements in a wrapper', '<files>\n  <file>a</file>\n</files>', ['a']],
    ['entities', '<file>a &amp;&lt; b</file>', ['a &< b']],
  ])('reads %s', (_, value, list) => {
    expect(files(value)).toEqual(list);
  });

  it('reads records, with tags and spaces in their text', () => {
    const text =
      '<edits><edit><path>a</path><text> <b>x</b>\n</text></edit><edit><path>b</path><text><![CDATA[&lt;]]></text></edit></edits>';
    expect(edits(text)).toEqual([
      { path: 'a', text: ' <b>x</b>\n' },
      { path: 'b', text: '&lt;' },
    ]);
  });

  it.each([
    '',
    'a.ts',
    '["a"',
    '{"a":1}',
    '<file>a',
    '<file>a</file> and more',
    '<files></files>',
    '<other>a</other>',
    5,
    null,
    undefined,
    {},
  ])('S2.3 leaves %j as it was received', (value) => {
    expect(files(value)).toBe(value);
  });

  it.each(['<edit><path>a</path><path>b</path></edit>', '<edit>a</edit>', '<edit><path>a</path>text</edit>'])(
    'S2.3 leaves %j as it was received, having no single reading',
    (value) => {
      expect(edits(value)).toBe(value);
    },
  );

  it('S2.3 no text but an empty JSON list becomes an empty list', () => {
    const near = fc.string({ unit: fc.constantFrom('<', '>', '/', 'file', 'files', '[', ']', '"', 'a', ' ') });
    fc.assert(
      fc.property(near, (text) => {
        const list = files(text);
        if (Array.isArray(list) && list.length === 0) expect(text.replace(/\s/g, '')).toBe('[]');
      }),
    );
  });
});
