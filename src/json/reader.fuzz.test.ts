import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../test/sample.ts';
import { jsonPieces, spoiltJson } from '../../test/spoilt-json.ts';
import { JsonReader } from './read-json.ts';
import { readComplete } from './reader.ts';

const pieces = [
  ...jsonPieces,
  '😀',
  '=',
  ' + ',
  'x + y',
  '{"b": "some words that are long enough for an excerpt"}',
  '\\"',
  '\\n',
  '1,5 2,5',
  ' b: "c"',
];
const spoilt = spoiltJson(
  fc.record({
    path: fc.string(),
    content: fc.constantFrom('a "b" c', 'x: y', 'C:\\dir'),
    list: fc.array(fc.nat(99)),
  }),
  pieces,
  3,
);
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((parts) => parts.join(''));

const told = ({ problems }: ReturnType<JsonReader['end']>) => problems;

const inChunks = (text: string, sizes: readonly number[]) => {
  const reader = new JsonReader();
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    reader.push(text.slice(at, at + size));
    at += size;
  }
  return reader.end();
};

it.each([
  ['JSON with a few edits', spoilt],
  ['objects of pieces', soup.map((text) => `{"a": ${text}}`)],
  ['lists of pieces', soup.map((text) => `{"a": 1, "b": [${text}]}`)],
  ['text that is escaped', spoilt.map((text) => JSON.stringify(text).slice(1, -1))],
])('a problem reads the same however the text was cut: %s', (_, texts) => {
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }), (text, sizes) => {
      expect(told(inChunks(text, sizes))).toEqual(told(readComplete(text)));
    }),
    { numRuns: runs(600) },
  );
});
