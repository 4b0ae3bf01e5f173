/** Which characters mean what to the tolerant reader; tables, so that a new habit of some model is a new entry. */

/** Quotes that may open a string, with those that may close it. */
export const quotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '“': '“”„‟"',
  '”': '“”„‟"',
  '„': '“”„‟"',
  '«': '»«',
  '＂': '＂',
  '‘': '‘’‚‛',
  '’': '‘’‚‛',
};

/** The plain run inside a string up to its next quote, backslash or control character, by opening quote. */
export const plainRun: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(quotes).map(([open, close]) => [open, new RegExp(`[^\\\\\\u0000-\\u001f${close}]+`, 'y')]),
);

/** Brackets and what closes them; a parenthesis opens a Python tuple. */
export const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

const invisible = new Set([0xa0, 0xad, 0x2028, 0x2029, 0x2060, 0x3000, 0xfeff]);

/** White space that JSON knows. */
export const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** White space of other sorts, byte-order marks and zero-width characters: skipped between tokens, and recorded. */
export const isInvisible = (code: number): boolean =>
  code > 127 ? invisible.has(code) || (code >= 0x2000 && code <= 0x200f) : code === 11 || code === 12;

/** Letters, digits and `_`, in any script. */
export const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

export const isCloser = (char: string | undefined): boolean => char === '}' || char === ']' || char === ')';
/** A comma, or what is written for one. */
export const isComma = (char: string | undefined): boolean => char !== undefined && ',，、;；'.includes(char);
export const isSemicolon = (char: string): boolean => ';；'.includes(char);
export const isColon = (char: string | undefined): boolean => char === ':' || char === '：';
/** Asked for every token, so the common answers come before the table. */
export function isQuote(char: string | undefined): boolean {
  if (char === '"' || char === "'") return true;
  return char !== undefined && (char === '`' || (char > '~' && quotes[char] !== undefined));
}

/** Opening brackets less closing ones; below zero as soon as one closes what was not opened. */
export function balance(text: string): number {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth < 0) return depth;
  }
  return depth;
}
