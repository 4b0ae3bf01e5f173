/** First and last of the characters that take two columns: East Asian wide and fullwidth ones. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x17000, 0x18dff],
  [0x1b000, 0x1b2ff],
  [0x20000, 0x3fffd],
];

const picture = /\p{Emoji_Presentation}|\ufe0f/u;
const nothing = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;
// Most text is plain, and needs no look at single characters.
const plain = /^[\u0020-\u007e\u00a1-\u02ff]*$/;
const segmenter = new Intl.Segmenter();

/** The characters of a text as a reader sees them: a letter with its accents, a picture of several parts. */
export const charactersOf = (text: string): string[] =>
  plain.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** How many columns of a terminal a text takes. */
export function columnsOf(text: string): number {
  if (plain.test(text)) return text.length;
  return charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0);
}

function widthOf(character: string): number {
  if (nothing.test(character)) return 0;
  if (picture.test(character)) return 2;
  const code = character.codePointAt(0) as number;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

/** A text in one line of at most so many columns; what is cut off is an ellipsis. */
export function cutTo(text: string, columns: number): string {
  const line = text.replace(/\s*\n\s*/g, ' ');
  if (columnsOf(line) <= columns) return line;
  let kept = '';
  let used = 0;
  for (const character of charactersOf(line)) {
    used += widthOf(character);
    if (used > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
