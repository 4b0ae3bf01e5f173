import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/sample.ts';
import { jsonPieces, spoiltJson } from '../../../test/spoilt-json.ts';
import { JsonReader, readJson, readTolerant } from '../read-json.ts';

const told = ({ value, repairs, problems, nesting }: ReturnType<JsonReader['end']>) => ({
  value,
  nesting,
  repairs: repairs.map(({ kind, path, certainty, after }) => [kind, path, certainty, after]),
  problems: problems.map(({ code, path }) => [code, path]),
});

/** The careful steps alone: a reader that is watched takes no short cuts. */
const carefully = (text: string) => {
  const reader = new JsonReader();
  reader.push(text);
  return reader.end();
};

const spoilt = spoiltJson(fc.jsonValue({ depthSize: 'small' }), jsonPieces, 4);
const soup = fc.array(fc.constantFrom(...jsonPieces, 'x', '5', '-'), { maxLength: 30 }).map((parts) => parts.join(''));

it.each([
  ['JSON with a few edits', spoilt],
  ['pieces of JSON in any order', soup],
  ['objects of pieces', soup.map((text) => `{"a": ${text}}`)],
  ['lists of pieces', soup.map((text) => `{"a": 1, "b": [${text}]}`)],
])('reading in one go gives what the careful steps give: %s', (_, texts) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(told(readTolerant(text))).toEqual(told(carefully(text)));
    }),
    { numRuns: runs(3000) },
  );
});

it('the strict reading gives what the tolerant one gives, where it gives one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify({ a: value });
      expect(readTolerant(text).value).toEqual(readJson(text).value);
    }),
    { numRuns: runs(500) },
  );
});
