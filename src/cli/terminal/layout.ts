/** Ranges of characters that are two columns wide: East Asian wide and fullwidth. */
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
// Most text is plain, and needs no check of single characters.
const plain = /^[\u0020-\u007e\u00a1-\u02ff]*$/;
const segmenter = new Intl.Segmenter();

/** The grapheme clusters of a text. */
const charactersOf = (text: string): string[] =>
  plain.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);

/** Number of terminal columns of a text. */
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

/** Shortens a text to one line with at most this many columns, with an ellipsis. */
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
 * Wraps text to `width` columns, at spaces, otherwise after commas (compact JSON has no spaces), if that leaves at most
 * a third of the line empty.
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

/** Number of characters that fit, at least one. */
function fitting(characters: readonly string[], width: number): number {
  if (characters.length * 2 <= width) return characters.length;
  let used = 0;
  const last = characters.findIndex((character) => {
    used += columnsOf(character);
    return used > width;
  });
  return last < 0 ? characters.length : Math.max(1, last);
}

/** Two texts side by side. */
export function sideBySide(left: string, right: string, width: number): string[] {
  const half = Math.floor((width - 3) / 2);
  const [one, other] = [wrap(left, half), wrap(right, half)];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const text = one[index] ?? '';
    return `${text}${' '.repeat(Math.max(0, half - columnsOf(text)))} │ ${other[index] ?? ''}`.trimEnd();
  });
}

/** A count with its noun: `1 tool`, `2 tools`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
