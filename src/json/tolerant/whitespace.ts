import { elided } from '../problem.ts';
import type { JsonValue } from '../value.ts';
import { isCloser, isInvisible, isQuote, isSpace, matchAt } from './chars.ts';
import { ansi, awaitText, peek, quotedKeyAhead, valueAhead } from './lookahead.ts';
import { ambiguous, problem, repair } from './machine.ts';
import { closesInComment, itemInside, leavesOut, memberInside } from './rules/comment-rules.ts';
import type { Machine } from './state.ts';

/**
 * Skips white space, invisible characters, color codes and comments between tokens. Before a value (`due`), an apparent
 * comment may be that value. Returns false if all text was consumed and the next token hasn't started.
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
      if (!openComment(m, due)) return true;
    } else if (code === 27) {
      if (!matchAt(ansi, m.text, m.at)) {
        awaitText(m, m.at + 33);
        return true;
      }
      repair(m, 'invisible', '');
      m.at = ansi.lastIndex;
    } else return true;
  }
}

const longest = 512;
/** Length of a comment to record; the record is shortened further. */
const recorded = 96;

/** Starts a comment at `#`, `//` or `/*`. Returns false if there is none. */
function openComment(m: Machine, due: boolean): boolean {
  awaitText(m, m.at + 2);
  const char = m.text[m.at];
  const next = m.text[m.at + 1];
  if (char === '/' && next !== '/' && next !== '*') return false;
  const block = char === '/' && next === '*';
  const end = m.text.slice(m.at, m.at + longest).indexOf(block ? '*/' : '\n');
  if (due && !isComment(m, end === -1 ? -1 : m.at + end + (block ? 2 : 1), char === '#' ? next : m.text[m.at + 2]))
    return false;
  const alone = startsLine(m);
  const frame = m.stack.at(-1);
  if (!block && frame && (frame.list || !alone)) {
    if (end === -1) awaitText(m, m.at + longest);
    const line = m.text.slice(m.at, m.at + (end === -1 ? longest : end));
    const holdsMore = frame.list
      ? m.mode === 'value' && itemInside.test(line)
      : m.mode === 'after' && memberInside.test(line);
    if (holdsMore || (!alone && closesInComment(line, frame.closer))) ambiguous(m, besideComment, line);
  }
  const head = char === '#' ? char : m.text.slice(m.at, m.at + 2);
  m.comment = { block, head, alone };
  m.at += head.length;
  return true;
}

const besideComment = 'is beside a comment that may hold more of it; leave the comment out';

/** Whether this is a comment although a value is expected. Only if a value follows, so that it can't be that value. */
function isComment(m: Machine, end: number, first: string | undefined): boolean {
  if (end === -1) {
    awaitText(m, m.at + longest);
    return m.text.length - m.at >= longest;
  }
  const next = peek(m, end);
  const frame = m.stack.at(-1);
  if (next >= m.text.length) return frame?.list === true;
  if (frame?.list) {
    const isBlock = m.text[m.at + 1] === '*';
    const ends = isCloser(m.text[next]);
    const goesOn = ends || valueAhead(m, next);
    // In a list of texts, a line that ends like an item may be one without quotes, or without its first quote.
    const line = m.text.slice(m.at, end).trimEnd().replace(/\\./g, '');
    const last = (frame.value as JsonValue[]).at(-1);
    const alone = ends && last === undefined;
    const isText = typeof last === 'string' || (last === undefined && isQuote(m.text[next]));
    const like = !isText ? /^[^"]*",$/ : ends ? /^[^"]*"?$/ : /^[^"]*"?,$/;
    const mayBeItem = alone || (startsLine(m) && like.test(line));
    const isFree = isBlock ? !alone : !mayBeItem && /\s/.test(first ?? ' ');
    if (goesOn && isFree) return true;
    // A line with the end of the list is an item. Any other may be one, or an item that was commented out.
    if ((isBlock && !alone) || line.replace(/\[[^\]]*\]/g, '').includes(']')) return false;
    frame.key = (frame.value as JsonValue[]).length;
    ambiguous(m, 'may be a comment or an item; leave it out, or put quotes around it', line);
    return false;
  }
  if (isQuote(m.text[next]) && quotedKeyAhead(m, next)) return false;
  const value = valueAhead(m, next);
  // Before a word without quotes, it may be the first line of a text.
  if (value && frame) frame.gap = true;
  if (value && isQuote(m.text[next])) ambiguous(m, besideComment, m.text.slice(m.at, next));
  return value;
}

/** Whether only blanks precede `m.at` on its line. */
export function startsLine(m: Machine, from = m.at): boolean {
  let at = from - 1;
  while (m.text[at] === ' ' || m.text[at] === '\t') at--;
  return at < 0 ? m.freshLine : m.text[at] === '\n' || m.text[at] === '\r';
}

/** A comment on its own lines is never part of a value, whatever the schema. Next to a token it probably isn't. */
function skipComment(m: Machine): boolean {
  const comment = m.comment as NonNullable<Machine['comment']>;
  const { block, alone } = comment;
  const collect = (upTo: number) => {
    if (comment.head.length <= recorded) comment.head += m.text.slice(m.at, Math.min(upTo, m.at + recorded));
  };
  const mark = block ? '*/' : '\n';
  const end = m.text.indexOf(mark, m.at);
  if (end === -1) {
    const last = m.text.slice(m.at).trimEnd().at(-1);
    if (last !== undefined) comment.last = last;
    const upTo = Math.max(m.at, m.text.length - (block && !m.ended ? 1 : 0));
    collect(upTo);
    m.at = upTo;
    return false;
  }
  const after = end + mark.length;
  if (block && alone && after === m.text.length && !m.ended) {
    collect(end);
    m.at = end;
    return false;
  }
  collect(block ? after : end);
  repair(
    m,
    'comment',
    comment.head.slice(0, recorded).trimEnd(),
    alone && (!block || /[\r\n]/.test(m.text[after] ?? '\n')) ? 'lossless' : 'inferred',
  );
  if (m.stack.length > 0 && leavesOut(comment.head)) problem(m, 'syntax', elided);
  m.at = after;
  m.comment = undefined;
  // The line break ends the comment and starts a line.
  if (!block) m.at--;
  return true;
}
