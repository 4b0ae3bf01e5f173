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
  '‹': '›‹',
  '「': '」',
  '『': '』',
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

/**
 * Whose quotes are all entities, and nothing else is one: any other entity may be the value's own, since nothing says
 * whether all signs were encoded or only the quotes.
 */
const encoded = /^\s*[[{]\s*&(?:quot|#34);(?:[^<>"&]|&(?:quot|#34);)*$/;
const wide = /^\s*｛([^｛]*)｝\s*$/;

/** The text with JSON's own signs, where all of them are HTML entities or its braces full-width; undefined for any other. */
export function plainSigns(text: string): string | undefined {
  if (encoded.test(text)) return decodeEntities(text);
  const inside = wide.exec(text)?.[1];
  return inside && `{${inside}}`;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text whose entities stand for characters, with these characters; entities nobody knows stay. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (whole, dec?: string, hex?: string, name?: string) => {
    if (name) return Object.hasOwn(entities, name) ? (entities[name] as string) : whole;
    const code = dec ? Number(dec) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
