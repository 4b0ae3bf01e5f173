/** A string literal as it was read. */
export interface PythonString {
  readonly value: string;
  /** Just past the closing quote, or the end of the text. */
  readonly end: number;
  readonly closed: boolean;
  /** What was inferred: a quote that was not escaped, an escape that Python has not. */
  readonly inferred?: 'inner_quote' | 'escape' | undefined;
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  a: '\u0007',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '/': '/',
  _: '_',
  '\n': '',
};
/** Escapes by code: octal only where it can't be a reference inside a pattern (`\1`). */
const coded = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|(0))/y;
const plain: Readonly<Record<string, RegExp>> = { "'": /[^'\\]+/y, '"': /[^"\\]+/y };

/** Quotes that a word processor made. */
const pairs: Readonly<Record<string, string>> = { '“': '”', '‘': '’' };

/** What may stand behind a closing quote: punctuation, another string, the next argument, a word of an expression. */
const follows =
  /[ \t\r\n]{0,64}(?:$|[,)\]}:;=+%*#'"\\`]|\.\w{1,32}\(|\[[-\d]|(?<=\s)[fFrRbBuU]{1,2}['"]|(?<=\s)(?:if|for|in|not|and|or|else)\s|(?<=\s)[A-Za-z_]\w{0,63}\s{0,8}=\s{0,8}[^\s=])/y;
/** Two quotes before punctuation: the first belongs to the text, as in `"say "hi""`. */
const doubled = /(['"])\1[ \t\r\n]{0,64}(?:$|[,)\]}])/y;

/**
 * Reads a string literal whose quote stands at `at`. A quote that nothing legal follows belongs to the text, since
 * models forget to escape; every look ahead is bounded.
 */
export function readPythonString(text: string, at: number, raw: boolean): PythonString {
  const quote = text[at] as string;
  const typographic = pairs[quote];
  if (typographic !== undefined) {
    const end = text.indexOf(typographic, at + 1);
    return {
      value: text.slice(at + 1, end < 0 ? text.length : end),
      end: end < 0 ? text.length : end + 1,
      closed: end >= 0,
    };
  }
  const triple = text.startsWith(quote.repeat(3), at);
  const run = plain[quote] as RegExp;
  let from = at + (triple ? 3 : 1);
  let value = '';
  let inferred: PythonString['inferred'];
  while (from < text.length) {
    run.lastIndex = from;
    if (run.test(text)) {
      value += text.slice(from, run.lastIndex);
      from = run.lastIndex;
    } else if (text[from] === '\\') {
      const [piece, end] = raw ? [text.slice(from, from + 2), from + 2] : unescapeAt(text, from);
      if (!raw && /[_/]/.test(text[from + 1] ?? '')) inferred ??= 'escape';
      value += piece;
      from = end;
    } else if (triple ? text.startsWith(quote.repeat(3), from) : closes(text, from, value)) {
      return { value, end: from + (triple ? 3 : 1), closed: true, inferred };
    } else {
      if (!triple) inferred = 'inner_quote';
      value += quote;
      from++;
    }
  }
  return { value, end: text.length, closed: false };
}

/** The name of a call in quotes, `'f'(a=1)`. */
const name = /^[\p{L}_][\p{L}\p{N}_.-]{0,200}$/u;

const apart = /^\s['"]\s$/;

function closes(text: string, at: number, value: string): boolean {
  doubled.lastIndex = at;
  if (value !== '' && doubled.test(text)) return false;
  if (text[at + 1] === '(') return name.test(value);
  // A quote with white space on both sides is no part of a quotation: what follows is another term.
  if (apart.test(text.slice(at - 1, at + 2))) return true;
  follows.lastIndex = at + 1;
  return follows.test(text);
}

/** What the escape at `at` stands for, and where it ends; an unknown one keeps its backslash. */
function unescapeAt(text: string, at: number): [piece: string, end: number] {
  const next = text[at + 1];
  if (next === undefined) return ['\\', at + 1];
  const letter = Object.hasOwn(letters, next) ? letters[next] : undefined;
  if (letter !== undefined) return [letter, at + 2];
  coded.lastIndex = at;
  const found = coded.exec(text);
  if (!found) return ['\\', at + 1];
  const [whole, byte, short, long, octal] = found;
  const code = octal ? Number.parseInt(octal, 8) : Number.parseInt(byte ?? short ?? long ?? '0', 16);
  return code > 0x10ffff ? ['\\', at + 1] : [String.fromCodePoint(code), at + whole.length];
}
