import { isCloser, isQuote, plainRun, quotes } from './chars.ts';
import { readEscape } from './escape.ts';
import { noteInnerQuote, quotesPairUp } from './inner-quotes.ts';
import { peek, quotedKeyAhead, valueEnds } from './lookahead.ts';
import {
  ambiguous,
  append,
  doubtKeys,
  type Frame,
  flush,
  type Machine,
  type OpenString,
  pathOf,
  repair,
  tellQuotes,
} from './machine.ts';
import { assign, begin, finishValue, takeKey } from './place.ts';

/** Opens a string at the quote in hand. False where triple quotes are still undecided. */
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
    told: 0,
    last: undefined,
    inner: 0,
    paired: true,
    firstMayOpen: false,
    oddEscape: false,
    controlEscape: false,
    slashFirst: false,
    shellQuote: false,
  };
  if (m.stack.length === 0) begin(m, '', 'string');
  if (!isKey && (quote !== '"' || triple)) tellQuotes(m, triple ? three : quote);
  m.at += triple ? 3 : 1;
  m.mode = triple ? 'triple' : 'string';
  if (!isKey) {
    assign(m, '');
    m.changes?.push({ type: 'set', path: pathOf(m), value: '' });
  }
  return true;
}

/** Reads on in the open string. False where more text must come first. */
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
      append(string, char);
      m.at++;
    } else {
      const closed = stepQuote(m, string, char);
      if (closed !== false) return closed === true;
    }
  }
  return false;
}

/** Decides on a quote inside a string: true closed it, false was a part of it, undefined must wait. */
function stepQuote(m: Machine, string: OpenString, char: string): boolean | undefined {
  if (string.isKey) return closeKey(m, string);
  const ends = valueEnds(m, m.at + 1, m.stack.length - 1);
  if (ends === undefined) return undefined;
  if (ends) {
    m.at++;
    closeString(m);
    return true;
  }
  const open = neverClosed(m, string);
  if (open !== false) return open;
  const after = m.text[m.at + 1];
  if (after === undefined && !m.ended) return undefined;
  if (char !== '"' || string.quote === '"') noteInnerQuote(string, string.last, after);
  append(string, char);
  m.at++;
  return false;
}

/**
 * A string whose closing quote was forgotten: its first inner quote opens the next key, after a comma (`"a.ts, "limit": 5`).
 * The key must then be one the schema declares, which `nesting` asks for.
 */
function neverClosed(m: Machine, string: OpenString): boolean | undefined {
  if (string.inner > 0 || m.stack.at(-1)?.list !== false || !/[\s,]/.test(string.last ?? '')) return false;
  const key = quotedKeyAhead(m, m.at, false);
  if (!key) return key;
  tellString(m);
  flush(string);
  let text = string.text.replace(/,\s*$/, '');
  // An escaped quote before the comma may be the closing one, behind a backslash that was meant (`"C:\dir\", "b"`).
  if (text === string.text || text === '' || text.endsWith(string.quote) || isCloser(text.at(-1))) return false;
  const other = text.at(-1);
  if (other !== string.quote && isQuote(other)) {
    // A curly quote that nothing opened can only be the closing one; any other may belong to the text.
    if (other && other > '~' && !/[“„«‘]/.test(text)) text = text.slice(0, -1);
    else ambiguous(m, 'is closed by another quote than it was opened with', text);
  }
  repair(m, 'quote', string.text, 'inferred', text);
  string.text = text;
  m.unclosed = true;
  doubtKeys(m);
  m.changes?.push({ type: 'set', path: pathOf(m), value: text });
  closeString(m);
  (m.stack.at(-1) as Frame).comma = true;
  m.mode = 'key';
  return true;
}

/** A key ends at its first quote. */
function closeKey(m: Machine, string: OpenString): boolean {
  flush(string);
  takeKey(m, string.text);
  if (m.mode !== 'string') return true;
  if (string.quote !== '"') tellQuotes(m, string.quote);
  m.string = undefined;
  m.at++;
  m.mode = 'colon';
  return true;
}

const share = /^\\[\w.$-]{2,}\\/;

/** Takes the finished string as a value, and judges what was odd in it. */
export function closeString(m: Machine): void {
  const string = m.string as OpenString;
  tellString(m);
  flush(string);
  m.string = undefined;
  const inList = m.stack.at(-1)?.list === true;
  const twofold = string.controlEscape || (string.slashFirst && share.test(string.text));
  if (string.shellQuote || (string.oddEscape && twofold)) {
    ambiguous(m, 'has backslashes with two readings; write every backslash as \\\\', string.text);
  }
  if (string.inner > 0) {
    if (m.stack.length && peek(m, m.at) >= m.text.length) m.quoteAtEnd = true;
    if (quotesPairUp(string, inList)) repair(m, 'inner_quote', string.text, 'inferred');
    else ambiguous(m, 'has quotes inside that are not escaped; write them as \\"', string.text);
  }
  assign(m, string.text);
  if (m.stack.length === 0 && m.current) m.current = { ...m.current, value: string.text };
  finishValue(m);
}

const gathered = 256;

/** Reports what was added to the open string since last time. */
export function tellString(m: Machine): void {
  const { string, changes } = m;
  if (!changes || !string || string.isKey || string.told === string.parts.length) return;
  const news = string.parts.length - string.told === 1 ? string.parts.at(-1) : string.parts.slice(string.told).join('');
  changes.push({ type: 'append', path: pathOf(m), text: news as string });
  string.told = string.parts.length;
  if (string.told >= gathered) flush(string);
}

/** Brings the open string into the value, for whoever looks at it now. */
export function settleString(m: Machine): void {
  const { string } = m;
  if (!string || string.isKey) return;
  if (string.parts.length > 0) flush(string);
  assign(m, string.text);
}

/** Reads on in a triple-quoted string, which ends only at its own three quotes. */
export function stepTriple(m: Machine): boolean {
  const string = m.string as OpenString;
  const end = m.text.indexOf(string.close, m.at);
  const upTo = end === -1 ? Math.max(m.at, m.text.length - (m.ended ? 0 : 3)) : end;
  while (m.at < upTo) {
    const slash = m.text.indexOf('\\', m.at);
    const stop = slash === -1 || slash > upTo ? upTo : slash;
    if (stop > m.at) append(string, m.text.slice(m.at, stop));
    m.at = stop;
    if (stop < upTo && !readEscape(m, string)) return false;
  }
  if (end === -1) return false;
  if (m.at > end) return true;
  m.at = end + 3;
  closeString(m);
  return true;
}
