import { charactersOf, columnsOf } from './columns.ts';

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
export function beside(left: string, right: string, width: number): string[] {
  const half = Math.floor((width - 3) / 2);
  const [one, other] = [wrap(left, half), wrap(right, half)];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const text = one[index] ?? '';
    return `${text}${' '.repeat(Math.max(0, half - columnsOf(text)))} │ ${other[index] ?? ''}`.trimEnd();
  });
}
