import type { JsonValue } from '../value.ts';
import { isCloser, isInvisible, isQuote, isSpace } from './chars.ts';
import { ansi, type Lookahead, peek, quotedKeyAhead, valueAhead } from './lookahead.ts';
import { ambiguous, type Machine, repair } from './state.ts';

/**
 * Consumes white space, invisible characters, terminal colour codes and comments between tokens. Where a value is `due`,
 * what looks like a comment may be that value. False where all text was consumed and the next token has not begun.
 */
export function skip(m: Machine, due = false): boolean {
  for (;;) {
    if (m.comment && !skipComment(m)) return false;
    const code = m.text.charCodeAt(m.at);
    if (isSpace(code)) m.at++;
    else if (Number.isNaN(code)) return false;
    else if (isInvisible(code)) {
      repair(m, 'invisible', '');
      m.at++;
    } else if (code === 47 || code === 35) {
      const opened = openComment(m, due);
      if (opened === undefined) return false;
      if (!opened) return true;
    } else if (code === 27) {
      ansi.lastIndex = m.at;
      if (!ansi.test(m.text)) return m.ended || m.text.length - m.at > 32;
      repair(m, 'invisible', '');
      m.at = ansi.lastIndex;
    } else return true;
  }
}

const longest = 512;
/** How much of a comment its record needs; a record is shortened to less. */
const recorded = 96;

/** Begins a comment at `#`, `//` or `/*`; undefined where what decides has not come. */
function openComment(m: Machine, due: boolean): Lookahead {
  const char = m.text[m.at];
  const next = m.text[m.at + 1];
  if (char === '/' && next === undefined && !m.ended) return undefined;
  if (char === '/' && next !== '/' && next !== '*') return false;
  const block = char === '/' && next === '*';
  const end = m.text.slice(m.at, m.at + longest).indexOf(block ? '*/' : '\n');
  if (due) {
    const is = isComment(m, end === -1 ? -1 : m.at + end + (block ? 2 : 1), char === '#' ? next : m.text[m.at + 2]);
    if (!is) return is;
  }
  const head = char === '#' ? char : m.text.slice(m.at, m.at + 2);
  m.comment = { block, head, alone: startsLine(m) };
  m.at += head.length;
  return true;
}

/** Where a value is due: is it a comment? Only if it can't be that value, because one stands behind it. */
function isComment(m: Machine, end: number, first: string | undefined): Lookahead {
  if (end === -1) return m.text.length - m.at >= longest ? true : m.ended ? false : undefined;
  const next = peek(m, end);
  if (next === -1) return undefined;
  if (next >= m.text.length) return m.stack.at(-1)?.list === true;
  const frame = m.stack.at(-1);
  if (frame?.list) {
    const isBlock = m.text[m.at + 1] === '*';
    const ends = isCloser(m.text[next]);
    const goesOn = ends || valueAhead(m, next);
    // In a list of texts a line that ends as items do may be one of them, without its quotes or its first one.
    const line = m.text.slice(m.at, end).trimEnd();
    const last = (frame.value as JsonValue[]).at(-1);
    const alone = ends && last === undefined;
    const isText = typeof last === 'string' || (last === undefined && isQuote(m.text[next]));
    const mayBeItem = alone || (isText && startsLine(m) && (ends ? /^[^"]*"?$/ : /^[^"]*"?,$/).test(line));
    const isFree = isBlock ? !alone : !mayBeItem && /\s/.test(first ?? ' ');
    if (goesOn === undefined || (goesOn && isFree)) return goesOn;
    // A line that holds the list's end is an item; any other may be one, or an item that was commented out.
    if ((isBlock && !alone) || line.replace(/\[[^\]]*\]/g, '').includes(']')) return false;
    frame.key = (frame.value as JsonValue[]).length;
    ambiguous(m, 'may be a comment or an item; leave it out, or put quotes around it', line);
    return false;
  }
  const key = isQuote(m.text[next]) ? quotedKeyAhead(m, next, false) : false;
  if (key !== false) return key === undefined ? undefined : false;
  const value = valueAhead(m, next);
  // Before a word without quotes it may be the first line of a text.
  if (value && frame && !isQuote(m.text[next]) && !'{['.includes(m.text[next] as string)) frame.gap = true;
  if (value && isQuote(m.text[next]))
    ambiguous(m, 'has what may be a comment or its own first words before the quotes', m.text.slice(m.at, next));
  return value;
}

/** Nothing but blanks stands before `m.at` on its line. */
export function startsLine(m: Machine, from = m.at): boolean {
  let at = from - 1;
  while (m.text[at] === ' ' || m.text[at] === '\t') at--;
  return at < 0 ? m.freshLine : m.text[at] === '\n' || m.text[at] === '\r';
}

/** A comment is no part of any value, whatever the schema, where it has lines of its own; beside a token it is likely none. */
function skipComment(m: Machine): boolean {
  const comment = m.comment as NonNullable<Machine['comment']>;
  const { block, alone } = comment;
  const told = (upTo: number) => {
    if (comment.head.length <= recorded) comment.head += m.text.slice(m.at, Math.min(upTo, m.at + recorded));
  };
  const mark = block ? '*/' : '\n';
  const end = m.text.indexOf(mark, m.at);
  if (end === -1) {
    const last = m.text.slice(m.at).trimEnd().at(-1);
    if (last !== undefined) comment.last = last;
    const upTo = Math.max(m.at, m.text.length - (block && !m.ended ? 1 : 0));
    told(upTo);
    m.at = upTo;
    return false;
  }
  const after = end + mark.length;
  if (block && alone && after === m.text.length && !m.ended) {
    told(end);
    m.at = end;
    return false;
  }
  told(block ? after : end);
  repair(
    m,
    'comment',
    comment.head.slice(0, recorded).trimEnd(),
    alone && (!block || /[\r\n]/.test(m.text[after] ?? '\n')) ? 'lossless' : 'inferred',
  );
  m.at = after;
  m.comment = undefined;
  // The line break is the end of the comment, and the start of a line.
  if (!block) m.at--;
  return true;
}
