import { isCloser, isQuote, looksQuoted, matchAt, plainRun, quotes } from './chars.ts';
import { assign, begin, finishValue, takeKey } from './containers.ts';
import { newEscapes, readEscape, recordEscapes } from './escapes.ts';
import { awaitText, peek, quotedKeyAhead, valueEnds } from './lookahead.ts';
import {
  ambiguous,
  append,
  doubt,
  doubtKeys,
  endOf,
  fail,
  flush,
  mixStyles,
  pathOf,
  recordQuotes,
  repair,
  reportSet,
  reportString,
  setMark,
} from './machine.ts';
import { continuesInComment, endsInComment } from './rules/comment-rules.ts';
import { besideQuotes, doubtsSign } from './rules/escape-rules.ts';
import {
  noteInnerQuote,
  quotesPairUp,
  separatesStrings,
  stringDoubt,
  stringFault,
  textFault,
} from './rules/string-rules.ts';
import type { Frame, Machine, OpenString } from './state.ts';
import { nextPiece } from './string-pieces.ts';

/** Opens a string at the current quote. Returns false while it may be a triple quote. */
export function openString(m: Machine, isKey: boolean): boolean {
  const quote = m.text[m.at] as string;
  const three = m.text.slice(m.at, m.at + 3);
  if (!isKey && !m.ended && three.length < 3 && three === quote.repeat(three.length)) return false;
  const triple = !isKey && '"\''.includes(quote) && three === quote.repeat(3);
  m.string = {
    quote,
    close: triple ? three : (quotes[quote] as string),
    isKey,
    triple,
    inList: m.stack.at(-1)?.list === true,
    text: '',
    parts: [],
    reported: 0,
    last: undefined,
    inner: { count: 0, paired: true, opens: false },
    escapes: newEscapes(),
  };
  if (!'"\''.includes(quote)) m.quotes.notPython = m.quotes.notProgram = true;
  if (m.stack.length === 0) begin(m, '', 'string');
  if (quote > '~') {
    const { close } = m.string;
    m.quotes.curly = m.quotes.closer && m.quotes.closer !== close ? Number.NEGATIVE_INFINITY : m.quotes.curly + 1;
    if (!isKey) m.quotes.closer = close;
  }
  // Backticks and three quotes may belong to the text, as Markdown code or a docstring.
  if (!isKey && (quote !== '"' || triple))
    recordQuotes(m, triple ? three : quote, triple || quote === '`' ? 'inferred' : undefined);
  m.at += triple ? 3 : 1;
  m.mode = triple ? 'triple' : 'string';
  if (!isKey) {
    m.quotes.values.quoted = true;
    assign(m, '');
    reportSet(m, '');
  }
  return true;
}

/** A quote with too little text behind it to decide about it: in a list, and in an object, where a key may follow. */
const quoteAtEnd = /.\s{0,99}(?:,\s{0,99})?$/y;
const memberAtEnd = /.\s{0,99}(?:,\s{0,99}(?:["'][^"'\\\n]{0,99})?)?$/y;

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
      if (m.at + 1 === m.text.length && !m.ended) return false;
      readEscape(m, string);
    } else if (char < ' ') {
      repair(m, 'newline', JSON.stringify(char).slice(1, -1));
      string.escapes.raw = true;
      append(string, char);
      m.at++;
    } else if (
      !m.ended &&
      !string.isKey &&
      matchAt(m.stack.at(-1)?.list === false ? memberAtEnd : quoteAtEnd, m.text, m.at)
    )
      return false;
    else if (stepQuote(m, string, char)) return true;
  }
  return false;
}

/** Decides about a quote in a string: true if it closes the string, false if it is part of it. */
function stepQuote(m: Machine, string: OpenString, char: string): boolean {
  if (string.isKey) return closeKey(m, string);
  const ends = valueEnds(m, m.at + 1, m.stack.length - 1);
  if (!ends && neverClosed(m, string)) return true;
  // In parentheses, Python joins adjacent strings.
  if (string.inner.count === 0 && (!ends || m.stack.at(-1)?.closer === ')') && nextPiece(m, string)) return false;
  if (m.mode === 'done') return true;
  if (ends) {
    m.at++;
    string.commented = (m.stack.length > 0 && endsInComment(m, string)) || continuesInComment(m, string.close);
    closeString(m, char);
    return true;
  }
  awaitText(m, m.at + 2);
  string.escapes.loose = true;
  const parted = string.inner.count === 1 && separatesStrings(endOf(string).split(char).at(-1) ?? '', false);
  noteInnerQuote(string, string.last, m.text[m.at + 1], char);
  if (parted) string.inner.paired = false;
  append(string, char);
  m.at++;
  return false;
}

/**
 * Handles a string without closing quote, whose first inner quote opens the next key after a comma (`"a.ts, "limit":
 * 5`). The schema must declare that key, which `nesting` requires.
 */
function neverClosed(m: Machine, string: OpenString): boolean {
  // After two pieces the quote between them may close it, as part of the text (`27"⏎", "limit": 5`).
  if (string.inner.count > 0 || string.pieces || m.stack.at(-1)?.list !== false || !/[\s,]/.test(string.last ?? ''))
    return false;
  if (!quotedKeyAhead(m, m.at)) return false;
  reportString(m);
  flush(string);
  let text = string.text.replace(/,\s*$/, '');
  // An escaped quote before the comma may be the closing one, after an intended backslash (`"C:\dir\", "b"`).
  if (text === string.text || text === '' || text.endsWith(string.quote) || isCloser(text.at(-1))) return false;
  const other = text.at(-1);
  let isOpen = isQuote(other);
  if (isOpen) {
    // A curly quote that nothing opened can only be the closing one. Any other may belong to the text, as an apostrophe
    // does, and quotes that open and close alike.
    const isClosing =
      other && other > '~' && other !== '’' && !/[“„«‘]/.test(text) && text.indexOf(other) === text.length - 1;
    if (isClosing) text = text.slice(0, -1);
    isOpen = !isClosing;
  }
  // The missing quote may belong before or after them.
  if (isOpen || /[,，;；\s\\]$/.test(text) || looksQuoted.test(text)) ambiguous(m, 'has no closing quote', text);
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

/** Ends a key at its first quote. */
function closeKey(m: Machine, string: OpenString): boolean {
  flush(string);
  const fault = textFault(string);
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
  const { quote, text, escapes, inner, triple, inList } = string;
  if (inner.count > 0) inner.paired = !string.pieces && quotesPairUp(string);
  const fault = stringFault(string);
  const doubtful = fault ? undefined : stringDoubt(string);
  if (fault) ambiguous(m, fault, text);
  if (doubtful) doubt(m, doubtful, text);
  recordEscapes(m, string);
  const isBeside = escapes.quotes > 0 && !textFault(string);
  if (escapes.unknown && (isBeside || doubtsSign(escapes, text))) repair(m, 'escape', escapes.unknown, 'inferred');
  // What curled its own quotes may have curled these.
  if (quote > '~' && /[‘’]/.test(text)) repair(m, 'quote', '’', 'inferred');
  // Python uses double quotes for strings with apostrophes.
  if (string.close === '"') m.quotes.notProgram ||= !text.includes("'");
  else m.escapes.program ??= besideQuotes(pathOf(m), string);
  if (inner.count > 0) {
    if (m.stack.length && peek(m, m.at) >= m.text.length) m.quotes.atEnd = true;
    if (inner.paired) repair(m, 'inner_quote', text, 'inferred');
  } else if (by === '"' && quote !== by) repair(m, 'quote', by, 'inferred');
  else if (triple ? text.includes(quote) : escapes.loose) repair(m, 'quote', text, 'inferred');
  assign(m, text);
  const frame = m.stack.at(-1);
  if (frame?.pieces && !inList) {
    frame.pieces = false;
    setMark(m, frame.value, frame.key as string, { literal: text, pieces: true });
  }
  if (quote !== '"') mixStyles(m, 2);
  if (m.stack.length === 0 && m.current) m.current = { ...m.current, value: text };
  finishValue(m);
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
    if (string.last !== undefined && /[\n\r]/.test(m.text.slice(m.at, stop))) string.escapes.raw = true;
    m.at = stop;
    if (stop === upTo) continue;
    // An escape in Python, but plain text in a raw string and in most other languages with triple quotes.
    string.escapes.ambiguous ||= m.text.slice(stop, stop + 2);
    readEscape(m, string);
  }
  if (end === -1) return false;
  if (m.at > end) return true;
  awaitText(m, end + 4);
  if (m.text[end + 3] === string.quote) return fail(m, 'ends in more than three quotes');
  m.at = end + 3;
  closeString(m);
  return true;
}
