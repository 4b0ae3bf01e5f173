import fc from 'fast-check';

/** What models put where it does not belong: quotes, brackets, comments, Python's literals, keys, tokens. */
export const jsonPieces: readonly string[] = [
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
];

/** JSON of these values with a few edits: a piece put in, or characters replaced by it. */
export const spoiltJson = (
  values: fc.Arbitrary<unknown>,
  pieces: readonly string[],
  maxLength: number,
): fc.Arbitrary<string> =>
  fc
    .tuple(
      values,
      fc.constantFrom(0, 2),
      fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom('', ...pieces)), { maxLength }),
    )
    .map(([value, indent, edits]) => {
      let text = JSON.stringify(value, null, indent);
      for (const [where, length, piece] of edits) {
        const at = where % (text.length + 1);
        text = text.slice(0, at) + piece + text.slice(at + length);
      }
      return text;
    });
