/** Normalizes a key: without case, `_` and `-`. */
export const foldKey = (key: string): string => key.replace(/[_-]/g, '').toLowerCase();

/** A name with blanks between the words of its camelCase. */
export const splitCamel = (name: string): string => name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2');

/** The words of a name in lower case, separated by blanks. */
export const wordsOf = (key: string): string =>
  splitCamel(key)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

const betweenDigits = /(?<=\p{N})[\s_-]+(?=\p{N})/gu;
const beforeDigits = /(?<=\p{N})[\s_-]+(?=\p{N})|-(?=\p{N})/gu;
const separators = /(?<=\S)[\s_-]+(?=\S)|^_+|_+$/gu;

/**
 * Normalizes an allowed value: without case, spaces, `_` and `-`. Keeps signs at either end and separators between
 * digits, because `1` isn't `-1`, `O` isn't `O-`, and `1-0` isn't `10`.
 *
 * @param signed whether a `-` before a digit is a sign everywhere, so that `UTC 5` isn't `UTC-5`
 */
export function foldMember(text: string, signed = false): string {
  const kept: string[] = [];
  const marked = text.trim().replace(signed ? beforeDigits : betweenDigits, (found) => {
    kept.push(found);
    return '\u0000';
  });
  let next = 0;
  return marked
    .replace(separators, '')
    .toLowerCase()
    .replace(/\0/g, () => kept[next++] as string);
}
