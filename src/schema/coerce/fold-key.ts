/** Normalizes a key: without case, `_` and `-`. */
export const foldKey = (key: string): string => key.replace(/[_-]/g, '').toLowerCase();

const betweenDigits = /(?<=\p{N})[\s_-]+(?=\p{N})/gu;
const separators = /(?<=\S)[\s_-]+(?=\S)|^_+|_+$/gu;

/**
 * Normalizes an allowed value: without case, spaces, `_` and `-`. Keeps signs at either end and separators between
 * digits, because `1` isn't `-1`, `O` isn't `O-`, and `1-0` isn't `10`.
 */
export function foldMember(text: string): string {
  const kept: string[] = [];
  const marked = text.trim().replace(betweenDigits, (found) => {
    kept.push(found);
    return '\u0000';
  });
  let next = 0;
  return marked
    .replace(separators, '')
    .toLowerCase()
    .replace(/\0/g, () => kept[next++] as string);
}
