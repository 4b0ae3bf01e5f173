import fc from 'fast-check';
import { expect, it } from 'vitest';
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

const pieces = [
  ...[
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    ' ',
    '\n',
    '\\',
    '“',
    '//',
    '/*',
    '*/',
    '#',
    '```',
    '<|im_end|>',
  ],
  ...[
    'True',
    'None',
    'null',
    '007',
    '1.50',
    '12345678901234567890',
    'a',
    '"a"',
    "'a'",
    'a: ',
    '"a": ',
    '__proto__',
    '\u200b',
  ],
];
const spoilt = fc
  .tuple(
    fc.jsonValue({ depthSize: 'small' }),
    fc.constantFrom(0, 2),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...pieces)), { maxLength: 4 }),
  )
  .map(([value, indent, edits]) => {
    let text = JSON.stringify(value, null, indent);
    for (const [where, length, piece] of edits) {
      const at = where % (text.length + 1);
      text = text.slice(0, at) + piece + text.slice(at + length);
    }
    return text;
  });
const soup = fc.array(fc.constantFrom(...pieces, 'x', '5', '-'), { maxLength: 30 }).map((parts) => parts.join(''));

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
    { numRuns: 3000 },
  );
});

it('the strict reading gives what the tolerant one gives, where it gives one', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify({ a: value });
      expect(readTolerant(text).value).toEqual(readJson(text).value);
    }),
    { numRuns: 500 },
  );
});
