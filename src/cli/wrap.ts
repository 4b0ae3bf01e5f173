/**
 * Text in lines of at most `width` characters, broken at spaces, else after commas (compact JSON has no spaces), where
 * that leaves no more than a third empty.
 */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let rest = [...line];
    while (rest.length > width) {
      const space = rest.lastIndexOf(' ', width);
      const comma = rest.lastIndexOf(',', width - 1) + 1;
      const end = [space, comma].find((place) => place > (width * 2) / 3) ?? width;
      lines.push(rest.slice(0, end).join(''));
      rest = rest.slice(rest[end] === ' ' ? end + 1 : end);
    }
    return [...lines, rest.join('')];
  });
}

/** Two texts beside each other, each in half of the width. */
export function beside(left: string, right: string, width: number): string[] {
  const half = Math.floor((width - 3) / 2);
  const [one, other] = [wrap(left, half), wrap(right, half)];
  return Array.from({ length: Math.max(one.length, other.length) }, (_, index) => {
    const text = one[index] ?? '';
    return `${text}${' '.repeat(Math.max(0, half - [...text].length))} │ ${other[index] ?? ''}`.trimEnd();
  });
}
