/** A key without what models get wrong: case, `_` and `-`. */
export const foldKey = (key: string): string => key.replace(/[_-]/g, '').toLowerCase();

const betweenDigits = /(?<=\p{N})[\s_-]+(?=\p{N})/gu;
const separators = /(?<=\S)[\s_-]+(?=\S)|^_+|_+$/gu;

/**
 * An allowed value without case, spaces, `_` and `-`; a sign at either end stays, and so do separators between digits,
 * because `1` is not `-1`, `O` not `O-`, and `1-0` not `10`.
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
