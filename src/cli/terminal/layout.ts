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
const charactersOf = (text: string): string[] =>
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
export function truncateTo(text: string, columns: number): string {
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

/**
 * Text in lines of at most `width` columns, broken at spaces, else after commas (compact JSON has no spaces), where
 * that leaves no more than a third empty.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = charactersOf(line);
    for (let fits = fitting(rest, width); fits < rest.length; fits = fitting(rest, width)) {
      const space = rest.lastIndexOf(' ', fits);
      const comma = rest.lastIndexOf(',', fits - 1) + 1;
      const end = [space, comma].find((place) => place > (fits * 2) / 3) ?? fits;
      lines.push(rest.slice(0, end).join(''));
      rest = rest.slice(rest[end] === ' ' ? end + 1 : end);
    }
    return [...lines, rest.join('')];
  });
}

/** How many of these characters fit, one at least. */
function fitting(characters: readonly string[], width: number): number {
  if (characters.length * 2 <= width) return characters.length;
  let used = 0;
  const last = characters.findIndex((character) => {
    used += columnsOf(character);
    return used > width;
  });
  return last < 0 ? characters.length : Math.max(1, last);
}

/** Two texts beside each other, each in half of the width. */
export function sideBySide(left: string, right: string, width: number): string[] {
  const half = Math.floor((width - 3) / 2);
  const [one, other] = [wrap(left, half), wrap(right, half)];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const text = one[index] ?? '';
    return `${text}${' '.repeat(Math.max(0, half - columnsOf(text)))} │ ${other[index] ?? ''}`.trimEnd();
  });
}
