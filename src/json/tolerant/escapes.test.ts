import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unescapeOnce } from './escapes.ts';

it.each([
  ['\\"a\\"', '"a"'],
  ['\\\\n', '\\n'],
  ['x\\ny\\tz', 'x\ny\tz'],
  ['\\u00e9\\/', 'é/'],
  ['plain', 'plain'],
])('takes one level off: %j', (text, out) => expect(unescapeOnce(text, true)).toEqual([out, '']));

it.each([
  ['abc\\', 'abc', '\\'],
  ['abc\\u00', 'abc', '\\u00'],
  ['abc\\\\', 'abc\\', ''],
  ['abc\\\\\\', 'abc\\', '\\'],
])('holds back an escape that is not whole yet: %j', (text, out, held) => {
  expect(unescapeOnce(text, false)).toEqual([out, held]);
});

it('undoes JSON.stringify, in pieces of any size', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
      const escaped = JSON.stringify(text).slice(1, -1);
      let [out, held] = ['', ''];
      for (let at = 0; at < escaped.length; at += size) {
        const [more, rest] = unescapeOnce(held + escaped.slice(at, at + size), false);
        out += more;
        held = rest;
      }
      expect(out + unescapeOnce(held, true)[0]).toBe(text);
    }),
  );
});
