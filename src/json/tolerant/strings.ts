import { innerQuotes } from '../problem.ts';
import { isCloser, isQuote, isWord, matchAt, plainRun, quotes } from './chars.ts';
import { assign, begin, finishValue, takeKey } from './containers.ts';
import { besideQuotes, escapeFault, newEscapes, readEscape, recordEscapes } from './escapes.ts';
import { peek, quotedKeyAhead, valueEnds } from './lookahead.ts';
import {
  ambiguous,
  append,
  doubt,
  doubtKeys,
  endOf,
  type Frame,
  fail,
  flush,
  type Machine,
  mixStyles,
  type OpenString,
  pathOf,
  recordQuotes,
  repair,
  reportSet,
  setMark,
} from './state.ts';

/** Opens a string at the current quote. Returns false while it may be a triple quote. */
export function openString(m: Machine, isKey: boolean): boolean {
  const quote = m.text[m.at] as string;
  const three = m.text.slice(m.at, m.at + 3);
  if (!isKey && three.length < 3 && !m.ended && three === quote.repeat(three.length)) return false;
  const triple = !isKey && '"\''.includes(quote) && three === quote.repeat(3);
  m.string = {
    quote,
    close: triple ? three : (quotes[quote] as string),
    isKey,
    text: '',
    parts: [],
    reported: 0,
    last: undefined,
    inner: { count: 0, paired: true, firstOpens: false },
    escapes: newEscapes(),
  };
  if (!'"\''.includes(quote)) m.quotes.notPython = m.quotes.notProgram = true;
  if (m.stack.length === 0) begin(m, '', 'string');
  if (quote > '~') {
    const { close } = m.string;
    m.quotes.curly =
      m.quotes.curlyClose && m.quotes.curlyClose !== close ? Number.NEGATIVE_INFINITY : m.quotes.curly + 1;
    if (!isKey) m.quotes.curlyClose = close;
  }
  // Backticks and three quotes may belong to the text, as Markdown code or a docstring.
  if (!isKey && (quote !== '"' || triple))
    recordQuotes(m, triple ? three : quote, triple || quote === '`' ? 'inferred' : undefined);
  m.at += triple ? 3 : 1;
  m.mode = triple ? 'triple' : 'string';
  if (!isKey) {
    assign(m, '');
    reportSet(m, '');
  }
  return true;
}

/** Continues the open string. Returns false if more text is needed. */
export function stepString(m: Machine): boolean {
  const string = m.string as OpenString;
  const run = plainRun[string.quote] as RegExp;
  while (m.at < m.text.length) {
    run.lastIndex = m.at;
    if (run.test(m.text)) {
      append(string, m.text.slice(m.at, run.lastIndex));
      m.at = run.lastIndex;
      if (m.at >= m.text.length) return false;
    }
    const char = m.text[m.at] as string;
    if (char === '\\') {
      if (!readEscape(m, string)) return false;
    } else if (char < ' ') {
      repair(m, 'newline', JSON.stringify(char).slice(1, -1));
      string.escapes.rawControl = true;
      append(string, char);
      m.at++;
    } else {
      const closed = stepQuote(m, string, char);
      if (closed !== false) return closed === true;
    }
  }
  return false;
}

/**
 * Decides about a quote in a string: true if it closes the string, false if it is part of it, undefined if more text is
 * needed.
 */
function stepQuote(m: Machine, string: OpenString, char: string): boolean | undefined {
  if (string.isKey) return closeKey(m, string);
  const ends = valueEnds(m, m.at + 1, m.stack.length - 1);
  if (ends === undefined) return undefined;
  const open = !ends && neverClosed(m, string);
  if (open !== false) return open;
  // In parentheses, Python joins adjacent strings.
  const more = string.inner.count === 0 && (!ends || m.stack.at(-1)?.closer === ')') && nextPiece(m, string);
  if (more !== false) return more ? false : undefined;
  if (m.mode === 'done') return true;
  if (ends) {
    m.at++;
    string.commented = mayGoOn(m, string.close);
    closeString(m, char);
    return true;
  }
  const after = m.text[m.at + 1];
  if (after === undefined && !m.ended) return undefined;
  string.escapes.rawQuote = true;
  noteInnerQuote(string, string.last, after, char);
  append(string, char);
  m.at++;
  return false;
}

const commentLines = /([ \t\r\n]*,?)([ \t\r\n]*(?:(?:#|\/\/)[^\n]*(?:\n[ \t\r\n]*|$))+)/y;
/** A member or item that was commented out: a quoted text at its start. */
const disabled = /^(?:#|\/\/)+\s*(["'])[^"'\n]*\1\s*(?:[:=]|,?\s*$)/;

/**
 * Whether comments after the closing quote may be text of the string: one of them ends in a quote of its kind, as the
 * string would. After a comma or on the same line, only if that quote isn't part of a quotation.
 */
function mayGoOn(m: Machine, close: string): boolean {
  const found = matchAt(commentLines, m.text, m.at);
  if (!found) return false;
  // A remark after a comma, or on the same line, may quote something.
  const remark = /,|^[ \t]*$/.test(found[1] as string);
  return (found[2] as string).split('\n').some((written) => {
    const line = written.trim();
    return (
      endsInQuote(line, close) && (endsInQuote(line.replace(quotations, ''), close) || !(remark || disabled.test(line)))
    );
  });
}

const looseApostrophe = /(?<![\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])/u;
/** Text in quotes that open and close it next to blanks and punctuation. */
const quotations = /(?<![^\s([{:=,#/])(["'])(?=\S)[^"'\n]*?(?<=\S)\1(?=$|[\s.,;:!?)\]}])/g;

/** Whether a comment ends in a quote of a kind. */
const endsInQuote = (line: string, close: string): boolean =>
  /^(?:#|\/\/)/.test(line) && close.includes(/([^\s,;}\])])[\s,;}\])]*$/.exec(line)?.[1] ?? ' ');

/** Whether a comment has an unpaired quote, so that it may be part of the value before or after it. */
export function hasLooseQuote(comment: string): boolean {
  const rest = comment.replace(quotations, '');
  return /["“”]/.test(rest) || looseApostrophe.test(rest);
}

/**
 * Handles a string without closing quote, whose first inner quote opens the next key after a comma (`"a.ts, "limit":
 * 5`). The schema must declare that key, which `nesting` requires.
 */
function neverClosed(m: Machine, string: OpenString): boolean | undefined {
  // After two pieces the quote between them may close it, as part of the text (`27"⏎", "limit": 5`).
  if (string.inner.count > 0 || string.pieces || m.stack.at(-1)?.list !== false || !/[\s,]/.test(string.last ?? ''))
    return false;
  const key = quotedKeyAhead(m, m.at, false);
  if (!key) return key;
  reportString(m);
  flush(string);
  let text = string.text.replace(/,\s*$/, '');
  // An escaped quote before the comma may be the closing one, after an intended backslash (`"C:\dir\", "b"`).
  if (text === string.text || text === '' || text.endsWith(string.quote) || isCloser(text.at(-1))) return false;
  const other = text.at(-1);
  if (other !== string.quote && isQuote(other)) {
    // A curly quote that nothing opened can only be the closing one. Any other may belong to the text, as an apostrophe
    // does, and quotes that open and close alike.
    const isClosing =
      other && other > '~' && other !== '’' && !/[“„«‘]/.test(text) && text.indexOf(other) === text.length - 1;
    if (isClosing) text = text.slice(0, -1);
    else ambiguous(m, 'is closed by a different quote', text);
  }
  // The missing quote may belong before or after them.
  if (/[,，;；\s\\]$/.test(text)) ambiguous(m, 'has no closing quote', text);
  repair(m, 'quote', string.text, 'inferred', text);
  string.text = text;
  m.quotes.missing = true;
  doubtKeys(m);
  reportSet(m, text);
  closeString(m);
  (m.stack.at(-1) as Frame).comma = true;
  m.mode = 'key';
  return true;
}

/**
 * Pieces whose joint may be a quotation within one string: between punctuation, unless it would open directly after a
 * phrase or close directly before a list separator.
 */
const quotation = /^(?![.,!?…)\]。！？] [\p{L}\p{N}]|\n[-*#>] )[^\p{L}\p{N}_]{2}/u;
/** After a plus, it would also close directly before an indent, or a sign that follows no quotation (`"ls " + "-la"`). */
const noQuotation = /^(?:\s[^\s,;:.)\]}"'`]|\n\s\s)/;

/** An option of a command, which may directly precede its value in quotes (`cut -d" " -f1`). */
const option = /(?:^|\s)[-/][\w-]{0,32}$/;

/** Whether the quotes between two pieces of a string may be a quotation in it (`printf " " x`). */
export function mayBeQuotation(before: string, after: string, plus: boolean): boolean {
  const meeting = (before.at(-1) ?? ' ') + after.slice(0, 2);
  if (quotation.test(meeting) && !(plus && noQuotation.test(meeting))) return true;
  return option.test(before) && /^\s/.test(after);
}

const blankMeeting = /^.?\s|^.[.,;:!?]\s/s;
const keyPiece = /[\p{L}_][\p{L}\p{N}_.-]{0,63}(?:\s?[:：=])?/uy;
const joint = /\s*\+\s*|\s+/y;
/** Makes quoted text part of an expression: a name or number after an operator, or a method call. */
const operand = /\s*(?:[+%]\s*[\p{L}\p{N}_$(][^"'`,}\]\n]{0,200}[,}\])\n]|\.\w{1,64}\(|%\s*\()/uy;
/** The start of one, as far as the text has arrived. */
const operandSoFar = /\s*(?:[+%]\s*(?:[\p{L}\p{N}_$(][^"'`,}\]\n]{0,200})?|\.\w{0,64})$/uy;

/**
 * Continues with the next piece of a string written in several (`"a" + "b"`, and in an object, where no comma can be
 * missing, also `"a" "b"`). Returns false if there is none.
 */
function nextPiece(m: Machine, string: OpenString): boolean | undefined {
  const at = peek(m, m.at + 1);
  if (at === -1) return undefined;
  if (matchAt(operand, m.text, m.at + 1)) return failAfter(m, string, 'is an expression, not a value');
  if (!m.ended && matchAt(operandSoFar, m.text, m.at + 1)) return undefined;
  const [between] = matchAt(joint, m.text, m.at + 1) ?? [];
  if (between === undefined) return false;
  // After the next quote.
  const from = m.at + 2 + between.length;
  if (from > m.text.length) return m.ended ? false : undefined;
  const frame = m.stack.at(-1);
  const plus = between.includes('+');
  const sure = plus || frame?.closer === ')';
  if (m.text[from - 1] !== string.quote || !(sure || frame?.list === false)) return false;
  const piece = sure ? '' : (matchAt(keyPiece, m.text, from)?.[0] ?? '');
  const next = m.text[from + piece.length];
  if (next === undefined && !m.ended) return undefined;
  if (piece && next === string.quote) {
    // A word between two strings may be a key without its comma and colon.
    const behind = peek(m, from + 1 + piece.length);
    if (behind === -1) return undefined;
    const isKey = m.colonMissing || isQuote(m.text[behind]);
    if (isKey || /[:：=]$/.test(piece))
      return failAfter(
        m,
        string,
        isKey ? 'is followed by a string that may be a key' : 'has its colon inside the quotes',
      );
  }
  const apart = between.includes('\n');
  // As a quotation, the quotes may belong to the text, except around a line break where other line breaks are escaped.
  const after = m.text.slice(from, from + 2);
  if (after.length < 2 && !m.ended) return undefined;
  const isQuoted =
    mayBeQuotation(endOf(string), after, plus) && !(apart && string.last === '\n' && !string.escapes.rawControl);
  const isJoined = sure || blankMeeting.test((string.last ?? ' ') + after);
  // Without a blank where they meet, they may be quoted words, or items of a list (`"rm" "-rf"`).
  if (isQuoted || string.escapes.quotes % 2 === 1 || !isJoined) string.pieces = 'doubted';
  string.pieces ||= sure || apart ? 'sure' : 'beside';
  if (frame && !plus) frame.pieces = true;
  repair(m, 'quote', m.text.slice(m.at, from), 'inferred');
  m.at = from;
  return true;
}

/** Fails after a string, and keeps its text, as for a text that arrives in chunks. */
function failAfter(m: Machine, string: OpenString, why: string): false {
  reportString(m);
  flush(string);
  assign(m, string.text);
  fail(m, why);
  return false;
}

/** Blanks that typography puts inside quotes. */
const spaced = /^(?:[«‹](?:\p{Zs}.*|.*\p{Zs})|[^ -~]\p{Zs}.*\p{Zs})$/su;

/** Why a finished string is ambiguous, whatever follows. */
const faultOf = (string: OpenString): string | undefined =>
  string.quote > '~' && spaced.test(string.quote + string.text)
    ? 'has spaces inside typographic quotes'
    : escapeFault(string.escapes, string.text, string.quote);

/** Ends a key at its first quote. */
function closeKey(m: Machine, string: OpenString): boolean {
  flush(string);
  const fault = faultOf(string);
  if (string.quote !== "'") m.quotes.notPython = m.quotes.notProgram = true;
  takeKey(m, string.text);
  if (m.mode !== 'string') return true;
  if (fault) ambiguous(m, fault, string.text);
  recordEscapes(m, string);
  if (string.quote !== '"') recordQuotes(m, string.quote);
  m.string = undefined;
  m.at++;
  m.mode = 'colon';
  return true;
}

/** Stores the finished string, and reports what is ambiguous about it. */
function closeString(m: Machine, by = m.string?.quote): void {
  const string = m.string as OpenString;
  reportString(m);
  flush(string);
  m.string = undefined;
  const frame = m.stack.at(-1);
  const inList = frame?.list === true;
  const fault = faultOf(string);
  // Reports only the first problem of a string.
  let refused = false;
  const refuse = (words: string, how = ambiguous) => {
    if (!refused) how(m, words, string.text);
    refused = true;
  };
  if (string.commented) refuse('may continue in the comment after it; leave the comment out, or write \\" for a quote');
  if (fault) refuse(fault);
  else if (string.escapes.unknown && string.escapes.quotes > 0) repair(m, 'escape', string.escapes.unknown, 'inferred');
  recordEscapes(m, string);
  // Python uses double quotes for strings with apostrophes.
  if (string.close === '"') m.quotes.notProgram ||= !string.text.includes("'");
  else m.escapes.program ??= besideQuotes(pathOf(m), string);
  // Next to escaped quotes, the quotes between the pieces may be unescaped quotes of the text.
  const {
    pieces,
    escapes: { quotes: escaped },
  } = string;
  if (pieces === 'doubted' || (pieces && escaped % 2 === 1) || (pieces === 'beside' && escaped > 0))
    refuse('is in pieces or has quotes inside; write one string, with \\" for a quote');
  // Text with quotes inside may extend beyond the three quotes that end it. Doubled, they may be one quote each.
  if (m.mode === 'triple') {
    string.escapes.rawQuote = string.text.includes(string.quote);
    if (string.text.includes(string.quote.repeat(2)))
      refuse('has doubled quotes; write one string, with \\" for a quote');
  }
  if (string.quote === '`' && string.text.includes('${')) refuse('is a template; write its value');
  if (string.inner.count > 0) {
    if (m.stack.length && peek(m, m.at) >= m.text.length) m.quotes.atEnd = true;
    if (!string.pieces && quotesPairUp(string, inList)) repair(m, 'inner_quote', string.text, 'inferred');
    else refuse(innerQuotes);
  } else if (by === '"' && string.quote !== by) repair(m, 'quote', by, 'inferred');
  else if (string.escapes.rawQuote) repair(m, 'quote', string.text, 'inferred');
  if (string.escapes.overEscaped > 0 && escaped === 0)
    refuse('has quotes after three backslashes; write \\" for a quote', doubt);
  // Also within other quotes: if every quote is escaped, the backslash may be superfluous.
  if (string.quote !== '"' && (string.text.match(/\\"/g)?.length ?? 0) > 1 && !/(?<!\\)"/.test(string.text))
    refuse('has a backslash before every quote; write \\" for a quote', doubt);
  assign(m, string.text);
  if (frame?.pieces && !inList) {
    frame.pieces = false;
    setMark(m, frame.value, frame.key as string, { literal: string.text, pieces: true });
  }
  if (string.quote !== '"') mixStyles(m, 2);
  if (m.stack.length === 0 && m.current) m.current = { ...m.current, value: string.text };
  finishValue(m);
}

const gathered = 256;

/** Reports what was added to the open string since the last report. */
export function reportString(m: Machine): void {
  const { string, changes } = m;
  if (!changes || !string || string.isKey || string.reported === string.parts.length) return;
  changes.push({ type: 'append', path: pathOf(m), text: string.parts.slice(string.reported).join('') });
  string.reported = string.parts.length;
  if (string.reported >= gathered) flush(string);
}

/** Stores the open string in the value, for reading it now. */
export function settleString(m: Machine): void {
  const { string } = m;
  if (!string || string.isKey) return;
  flush(string);
  assign(m, string.text);
}

/** Continues a triple-quoted string, which only ends at three quotes. */
export function stepTriple(m: Machine): boolean {
  const string = m.string as OpenString;
  const end = m.text.indexOf(string.close, m.at);
  let upTo = end === -1 ? Math.max(m.at, m.text.length - (m.ended ? 0 : 3)) : end;
  // A high surrogate waits for the next chunk.
  if (end === -1 && upTo > m.at && !m.ended && /[\ud800-\udbff]/.test(m.text[upTo - 1] as string)) upTo--;
  while (m.at < upTo) {
    const slash = m.text.indexOf('\\', m.at);
    const stop = slash === -1 || slash > upTo ? upTo : slash;
    if (stop > m.at) append(string, m.text.slice(m.at, stop));
    if (string.last !== undefined && /[\n\r]/.test(m.text.slice(m.at, stop))) string.escapes.rawControl = true;
    m.at = stop;
    if (stop === upTo) continue;
    // An escape in Python, but plain text in a raw string and in most other languages with triple quotes.
    string.escapes.ambiguous ||= m.text.slice(stop, stop + 2);
    if (!readEscape(m, string)) return false;
  }
  if (end === -1) return false;
  if (m.at > end) return true;
  if (end + 3 === m.text.length && !m.ended) return false;
  if (m.text[end + 3] === string.quote) return fail(m, 'ends in more than three quotes');
  m.at = end + 3;
  closeString(m);
  return true;
}

/** Records an unescaped quote in a string, with the characters around it. */
export function noteInnerQuote(
  string: OpenString,
  before: string | undefined,
  after: string | undefined,
  char: string,
): void {
  // An apostrophe, which scripts without blanks don't have.
  if ("'’".includes(char) && isWord(before) && isWord(after) && (after as string) < '\u0e00') return;
  // Odd quotes must open and even ones close, next to something other than a letter or digit. Before a closing bracket
  // none opens, because it may close the string.
  const fits = string.inner.count % 2 === 0 ? !isWord(before) && !'}]'.includes(after ?? ' ') : !isWord(after);
  if (string.inner.count === 0) {
    string.inner.firstOpens = !isWord(before);
    // Before a blank, the first quote may also close the string (`"a/" or "b/"`), unless an opening bracket precedes
    // it.
    const closes = /\s/.test(after ?? '') && !'([{'.includes(before ?? ' ');
    string.inner.paired = string.inner.firstOpens ? fits && !closes : !isWord(after);
  } else if (string.inner.count === 1) string.inner.paired &&= string.inner.firstOpens && fits;
  else string.inner.paired &&= fits;
  string.inner.count++;
}

/** A quote, closing brackets and a comma, as in a list that ends too early. */
const closesBetween = /["'`]\s*[\]}]+\s*,/;

/** Whether an opening quote precedes a comma. In a list it may have closed an item. */
const opensBefore = (text: string): boolean =>
  text.split('"').some((piece, i) => i % 2 === 1 && /^\s*[,，、;]/.test(piece));

/** An operator between two strings, or closing brackets, which mean that the quotes around it belong to two strings. */
export const parts = /^\s*(?:(?:[-+*/%|&^~<>=!?.;:]{1,3}|or|and|oder|und|ou|et|или|и|或|和)\s*$|[}\]])/i;
/** Blanks on both sides of the first quotation, which separate two strings. */
export const apart = /^\s[\s\S]*\s$/;

/**
 * Whether the unescaped quotes have only one reading: if they form quotations, each opening and closing next to
 * something other than a letter or digit. Outside of a list, also a single quote after a number with words behind it
 * (6" pipe). After a word, it may be one too many.
 */
export function quotesPairUp(string: OpenString, inList: boolean): boolean {
  const {
    inner: { count, paired },
    quote,
    text,
  } = string;
  // Quotes around the whole text may be the string's own, written twice. Other quotes than JSON's may belong to the
  // text, and end a quotation in it (`「a」と「b」`).
  const around = /^\s*"[^"]*"\s*$|^\s*[“”„‘’'`][^“”„]*[“”„‘’'`]\s*$/.test(text);
  if (around || quote !== '"') return false;
  // Two quotes in a row may be one that was doubled, or separate two strings.
  if (count > 1 && /"\s*"/.test(text)) return false;
  const pieces = text.split('"');
  const behind = (count === 1 ? pieces.at(-1) : string.escapes.quotes ? '' : pieces[1]) ?? '';
  if (parts.test(behind) || (count > 1 && apart.test(behind))) return false;
  if (count !== 1) return count % 2 === 0 && paired && !(inList && (closesBetween.test(text) || opensBefore(text)));
  return !inList && paired && /\d$/.test(pieces.at(-2) ?? '') && /^[^[{(<,;:][\s\S]*[\p{L}\p{N}]/u.test(behind);
}
