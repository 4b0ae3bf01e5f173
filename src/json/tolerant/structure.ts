import { markAt, twoStrings } from '../reading.ts';
import type { JsonObject, JsonValue } from '../value.ts';
import { openBare } from './bare-words.ts';
import { isCloser, isColon, isComma, isQuote, isSemicolon, matchAt } from './chars.ts';
import { closeFrame, noteMissing, open, takeCloser, takeKey } from './containers.ts';
import {
  awaitText,
  itemAhead,
  keyAhead,
  peek,
  quotedKeyAhead,
  specialAhead,
  unclosedKeyAhead,
  valueAhead,
} from './lookahead.ts';
import { ambiguous, doubtKeys, fail, recordQuotes, repair } from './machine.ts';
import { unquoted } from './rules/word-rules.ts';
import type { Frame, Machine } from './state.ts';
import { openString } from './strings.ts';
import { skip, startsLine } from './whitespace.ts';

/** Steps that each consume one structural token. They return false if more text is needed. */

const bareKey = /([\p{L}\p{N}_$.@-]{1,128})(["'`”]?)/uy;

const quoteComma = /["'`”’]\s*[,;]\s*$/;

/** In an object, before a key or the closing brace. */
export function stepKey(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  if (isCloser(char)) return takeCloser(m, char);
  if (isComma(char)) {
    if (m.stack.at(-1)?.comma === ';') return fail(m, 'ends in a semicolon');
    m.at++;
    // A member may have been lost before it.
    repair(m, 'comma', ',', 'inferred');
    return true;
  }
  if (endsText(m)) return false;
  m.key.at = -1;
  m.key.fresh = startsLine(m);
  if (isQuote(char)) return stepQuotedKey(m);
  const found = keyAhead(m, m.at) ? matchAt(bareKey, m.text, m.at) : undefined;
  if (!found) return fail(m, 'has text that is not a key');
  const end = bareKey.lastIndex;
  if (peek(m, end) >= m.text.length) {
    m.at = m.text.length; // truncated inside the key
    return true;
  }
  const { value, key } = m.stack.at(-1) as Frame;
  const last = (value as JsonObject)[key as string];
  takeKey(m, found[1] as string);
  if (m.mode !== 'key') return true;
  // Two mistakes in one place: quote and comma may be swapped.
  if (found[2] && (m.separators.includes(';') || (typeof last === 'string' && quoteComma.test(last))))
    ambiguous(m, 'has only one quote', found[0]);
  m.quotes.notPython = true;
  recordQuotes(m, found[2] ? 'half' : 'bare', undefined, found[0]);
  m.at = end;
  m.mode = 'colon';
  return true;
}

/** A key whose closing quote hasn't arrived. */
const keyAtEnd = /["'][^"'\\\n]{0,99}$/y;

/** A quoted key, or one without closing quote. */
function stepQuotedKey(m: Machine): boolean {
  if (!m.ended && matchAt(keyAtEnd, m.text, m.at)) return false;
  const open = quotedKeyAhead(m, m.at) ? undefined : unclosedKeyAhead(m, m.at);
  if (!open) return openString(m, true);
  awaitText(m, open.end + 2);
  const frame = m.stack.at(-1);
  const apart = frame?.key !== undefined && !frame.comma;
  takeKey(m, open.key);
  if (m.mode !== 'key') return true;
  if (apart) return fail(m, 'has no comma before it');
  // The quote after the colon may close the key, so that the value has none.
  if (/[:=]["'`“]\s$/.test(m.text.slice(open.end - 1, open.end + 2))) return fail(m, 'has its colon inside the quotes');
  repair(m, 'quote', m.text.slice(m.at, open.end), 'inferred');
  m.at = open.end;
  m.key.colonEnd = m.offset + m.at;
  m.mode = 'value';
  return true;
}

/** Between a key and its value. */
export function stepColon(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  if (m.at + 1 === m.text.length && !m.ended) return false;
  const isEquals = char === '=';
  const value = isColon(char) || isEquals || valueAhead(m, m.at);
  m.mode = 'value';
  const key = String(m.stack.at(-1)?.key);
  if (isColon(char)) {
    if (char !== ':') repair(m, 'colon', char);
    m.at++;
  } else if (isEquals) {
    repair(m, 'colon', '=');
    // Programs write so, in which a word is no text.
    m.quotes.values.quoted = true;
    // A line of code after text without quotes (`else⏎x = 1`).
    if (m.key.doubted) ambiguous(m, 'may be part of the text before it', key);
    m.at += m.text[m.at + 1] === '>' ? 2 : 1;
  } else if (value && !/[:：]/.test(key)) {
    if (isQuote(char) && /[:：=]/.test(m.text[m.at + 1] ?? '')) return fail(m, 'has its colon inside the quotes');
    repair(m, 'colon', '', 'inferred');
    m.colonMissing = true;
    doubtKeys(m);
  } else fail(m, 'has no colon after its key');
  m.key.doubted = false;
  m.key.colonEnd = m.offset + m.at;
  if (isEquals) m.key.equalsEnd = m.key.colonEnd;
  return true;
}

/** Before a value. */
export function stepValue(m: Machine): boolean {
  if (!skip(m, true)) return false;
  const char = m.text[m.at] as string;
  const frame = m.stack.at(-1) as Frame;
  const { list } = frame;
  if (isCloser(char)) return takeCloser(m, char);
  if (isComma(char)) return fail(m, list ? 'has nothing between two commas' : 'has no value', !list);
  if (isColon(char)) {
    const next = peek(m, m.at + 1);
    const value = valueAhead(m, next);
    // Before text without quotes, it may be the first character of that text (`"keys"::wq"`).
    if (list || m.offset + m.at !== m.key.colonEnd || !value) fail(m, 'has an extra colon');
    else repair(m, 'colon', char);
    frame.gap = true;
    m.at++;
    return true;
  }
  if (endsText(m)) return false;
  if (list) {
    if ((frame.value as JsonValue[]).length > 0 && quotedKeyAhead(m, m.at)) return leaveList(m);
    frame.key = (frame.value as JsonValue[]).length;
    frame.comma = false;
  }
  if ('{[('.includes(char)) open(m, char);
  else if (isQuote(char)) return openString(m, false);
  else openBare(m);
  return true;
}

/** After a value: a comma, a closing bracket, or the next value without a comma. */
export function stepAfter(m: Machine): boolean {
  if (!skip(m)) return false;
  const char = m.text[m.at] as string;
  const frame = m.stack.at(-1) as Frame;
  const { list } = frame;
  const last = (frame.value as JsonObject)[frame.key as string];
  if (isComma(char)) {
    if (char !== ',') repair(m, 'comma', char);
    frame.comma = !isSemicolon(char) || ';';
    if (isSemicolon(char)) {
      frame.semicolons++;
      if (!list) {
        m.separators += ';';
        if (typeof last === 'string' && last === m.unquoted.last) m.unquoted.parted = true;
      }
    }
    frame.gap = list && char !== ',' && isNumber(frame, last);
    m.mode = list ? 'value' : 'key';
    m.at++;
    return true;
  }
  if (isCloser(char)) return takeCloser(m, char);
  if (endsText(m)) return false;
  const next = list ? itemAhead(m, m.at) : isQuote(char) || /[\p{L}_$]/u.test(char);
  if (isQuote(char)) awaitText(m, m.at + 2);
  const decimals = list && decimalsAhead(m);
  if (next) {
    if (typeof last === 'string' && /[,，、]$/.test(last))
      ambiguous(m, 'ends in a comma, which may belong after its closing quote', last);
    // The missing comma may have become a point.
    const written = isNumber(frame, last) ? literalAt(frame, last) : m.unquoted.last && last;
    if (typeof written === 'string' && written.endsWith('.')) ambiguous(m, unquoted, written);
    if (list && typeof last === 'string' && isQuote(char)) {
      // With a blank or line break where they meet, or with nothing in one, they may be the pieces of one text.
      const first = m.text[m.at + 1] ?? '';
      const tuple = frame.closer === ')';
      if (!tuple && (/^$|\s$/.test(last) || first === char || /\s/.test(first)))
        ambiguous(m, 'may continue in the next string; put a comma between them', last);
      else {
        // Python joins adjacent strings, including those in parentheses, and uses double quotes for strings with
        // apostrophes. Single words are items.
        const piece = last.includes("'") ? /^"[^"]*/.exec(m.text.slice(m.at, m.at + 513))?.[0] : undefined;
        if (piece && piece.length < 513) awaitText(m, m.at + piece.length + 1);
        if (tuple || char === "'" || m.quotes.styles.includes("'") || (piece?.includes("'") && /\s/.test(last + piece)))
          ambiguous(m, twoStrings, last);
      }
    }
    if (isQuote(char) && isComma(m.text[m.at + 1])) return fail(m, 'has its comma inside the quotes');
    const bare = isBare(frame, last);
    const fresh = startsLine(m);
    if (list && bare && ((!fresh && isOneNumber(m, frame, last)) || (decimals && groups.test(unitBefore(m)))))
      ambiguous(m, 'may form one number with the next value; put a comma between them', String(last));
    // Next to a scalar, a blank may also be inside of it: between quotes of one string, or words of one text.
    const sure = list
      ? typeof last === 'object' && last !== null && '{['.includes(char)
      : typeof last !== 'string' && (isQuote(char) || fresh);
    repair(m, 'comma', '', sure ? 'lossless' : 'inferred');
    frame.gap = list && bare && !fresh;
    frame.decimal = bare && decimals;
    if (!list && m.unquoted.last && startsLine(m)) m.separators += '\n';
    // A line that starts with a word may continue the text before it.
    if (!list && !isQuote(char)) {
      m.key.doubted = Boolean(m.unquoted.last);
      const first = typeof last === 'string' && !fresh && !m.quotes.styles.includes('bare');
      doubtKeys(m, m.unquoted.last || first ? 'keys' : 'kept');
    }
    m.mode = list ? 'value' : 'key';
    return true;
  }
  return fail(m, 'is followed by text that is not JSON');
}

const isNumber = (frame: Frame, value: JsonValue | undefined): boolean =>
  typeof value === 'number' || markAt(frame.value, frame.key as number) !== undefined;

/** Whether a value is a number or literal without quotes. */
const isBare = (frame: Frame, value: JsonValue | undefined): boolean =>
  value === null || typeof value === 'boolean' || isNumber(frame, value);

/** A number as it was written. */
const literalAt = (frame: Frame, value: JsonValue | undefined): string =>
  markAt(frame.value, frame.key as number)?.literal ?? String(value);

const groupAhead = /\d{3}(?!\d)|\.\d/y;

/** Whether the digits ahead continue the number before the blank: a group of three (`1 234`), or decimals. */
const isOneNumber = (m: Machine, frame: Frame, value: JsonValue | undefined): boolean =>
  /^[+-]?\d+$/.test(literalAt(frame, value)) && matchAt(groupAhead, m.text, m.at) !== null;

/** A number with a decimal comma or with thousands separators. */
const unit = /^[+-]?(?:\d+(?:,\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?)$/;
const groups = /,\d{3}(?!\d)/;
const unitAhead = /[^\s\]]{0,48}/y;

/** The text before the gap at `m.at`, up to the previous blank or bracket. */
function unitBefore({ text, at }: Machine): string {
  const least = Math.max(0, at - 64);
  let end = at;
  while (end > least && /\s/.test(text[end - 1] as string)) end--;
  let from = end;
  while (from > least && !/[\s[]/.test(text[from - 1] as string)) from--;
  return text.slice(from, end);
}

/** Whether the commas around the gap between two numbers are decimal commas (`1,5 2,5`). */
function decimalsAhead(m: Machine): boolean {
  const before = unitBefore(m);
  if (!unit.test(before)) return false;
  const [ahead] = matchAt(unitAhead, m.text, m.at) as RegExpExecArray;
  awaitText(m, m.at + ahead.length + 1);
  const after = ahead.replace(/,$/, '');
  return unit.test(after) && `${before}${after}`.includes(',');
}

/** A key in a list: the list's closing bracket is missing, and the key belongs to the object around it. */
function leaveList(m: Machine): true {
  while (m.stack.at(-1)?.list) {
    noteMissing(m, m.stack.at(-1)?.closer as string);
    closeFrame(m);
  }
  if (m.stack.length === 0) return fail(m, 'is a list with a key in it');
  m.mode = 'key';
  return true;
}

/** A special token or the end of a code fence ends the text while a bracket is open. */
function endsText(m: Machine): boolean {
  if (!specialAhead(m, m.at)) return false;
  repair(m, 'token', m.text.slice(m.at, m.at + 40));
  m.current?.after.push(m.text.slice(m.at));
  m.text = m.text.slice(0, m.at);
  m.halted = true;
  return true;
}
