/** Character tables of the tolerant reader. */

/** Quotes that can open a string, with those that can close it. */
export const quotes: Readonly<Record<string, string>> = Object.fromEntries(
  ['""', "''", '``', '““”„‟"', '”“”„‟"', '„“”„‟"', '«»«', '‹›‹', '「」', '『』', '＂＂', '‘‘’‚‛', '’‘’‚‛'].map(
    (row) => [row[0], row.slice(1)],
  ),
);

/** A sign at either end of a text that is a quote or looks like one. */
export const looksQuoted: RegExp = /^[\p{Quotation_Mark}´ʹ-ʼˊˋ˝״′-‷❛-❞]|[\p{Quotation_Mark}´ʹ-ʼˊˋ˝״′-‷❛-❞]$/u;

/** Matches plain text up to the next quote, backslash or control character, by opening quote. */
export const plainRun: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(quotes).map(([open, close]) => [open, new RegExp(`[^\\\\\\u0000-\\u001f${close}]+`, 'y')]),
);

/** Brackets and their closing brackets. A parenthesis opens a Python tuple. */
export const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

const invisible = new Set([0xa0, 0xad, 0x2028, 0x2029, 0x2060, 0x3000, 0xfeff]);

/** JSON's white space. */
export const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/** Other white space, byte order marks and zero-width characters, which are skipped between tokens and recorded. */
export const isInvisible = (code: number): boolean =>
  code > 127 ? invisible.has(code) || (code >= 0x2000 && code <= 0x200f) : code === 11 || code === 12;

/** Letters, digits and `_` of any script. */
export const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

export const isCloser = (char: string | undefined): boolean => char === '}' || char === ']' || char === ')';
/** A comma, or a character used as one. */
export const isComma = (char: string | undefined): boolean => char !== undefined && ',，、;；'.includes(char);
export const isSemicolon = (char: string): boolean => ';；'.includes(char);
export const isColon = (char: string | undefined): boolean => char === ':' || char === '：';
/** Called for each token, so common cases are checked before the table. */
export function isQuote(char: string | undefined): boolean {
  if (char === '"' || char === "'") return true;
  return char !== undefined && (char === '`' || (char > '~' && quotes[char] !== undefined));
}

/** Opening minus closing brackets; negative as soon as one closes what wasn't opened. */
export function balance(text: string): number {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[{}[\]]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    if (depth < 0) return depth;
  }
  return depth;
}

/**
 * Text whose quotes are all HTML entities, without other entities. Those may belong to a value, since it is unknown
 * whether all characters were encoded or only the quotes.
 */
const encoded = /^\s*[[{]\s*&(?:quot|#34);(?:[^<>"&]|&(?:quot|#34);)*$/;
const wide = /^\s*｛([^｛]*)｝\s*$/;

/** Converts text whose quotes are all HTML entities or whose braces are full-width; undefined for other text. */
export function plainSigns(text: string): string | undefined {
  if (encoded.test(text)) return decodeEntities(text);
  const inside = wide.exec(text)?.[1];
  return inside && `{${inside}}`;
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes HTML entities. Unknown ones stay unchanged. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g, (whole, dec?: string, hex?: string, name?: string) => {
    if (name) return Object.hasOwn(entities, name) ? (entities[name] as string) : whole;
    const code = dec ? Number(dec) : Number.parseInt(hex as string, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** What a sticky pattern matches at `at`, or a global one from there on. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
