import type { Machine } from '../machine/state.ts';
import { matchAt, type Pattern } from './pattern.ts';

/** No tool has so many fields; past them nothing more is kept, so that looking stays cheap. */
const most = 200;

/** Keeps what closed a value that has no escapes. */
export function recordCloser(m: Machine, close: Pattern): void {
  if (close.head !== '' && m.closers.size < most) m.closers.set(close.whole.source, close);
}

/** A value that its call's end closed: if its own closer comes after all, all up to that may have been in it. */
export function recordUnclosed(m: Machine, close: Pattern): void {
  if (close.head !== '' && m.unclosed.size < 20) m.unclosed.set(close.whole.source, close);
}

/** Whether a value that is closed here may be the rest of another, which was not closed or ended too early. */
export function mayContinue(m: Machine, value: string, close: Pattern, before: readonly Pattern[]): boolean {
  if (m.unclosed.has(close.whole.source)) return true;
  return [...m.unclosed.values(), ...before].some((one) => firstClose(value, one) !== undefined);
}

/** A closer outside calls, behind the value that it may have been meant for: that could end at two places. */
export function checkStrayCloser(m: Machine): void {
  const { outside } = m;
  m.outside = '';
  if (m.twice || outside === '') return;
  for (const close of m.closers.values()) if (firstClose(outside, close) !== undefined) m.twice = true;
}

/**
 * Whether a value holds its own closer, so that it could have ended there. A closer belongs to the value for sure where an
 * opener in the value precedes it, or where quotes or backticks stand right around it.
 */
export function holdsCloser(value: string, close: Pattern): boolean {
  if (close.head === '') return false;
  const opener = close.head.startsWith('</') ? `<${close.head.slice(2).replace(/>$/, '')}` : undefined;
  let openers = 0;
  let from = 0;
  for (let end = firstClose(value, close); end !== undefined; end = firstClose(value, close, end)) {
    const at = value.lastIndexOf(close.head, end);
    if (opener) openers += value.slice(from, at).split(opener).length - 1;
    const before = value[at - 1] ?? '';
    if (openers > 0) openers -= 1;
    else if (!/["'`]/.test(before) || value[end] !== before) return true;
    from = end;
  }
  return false;
}

/** Just past the first closer from a place on. */
function firstClose(text: string, close: Pattern, from = 0): number | undefined {
  for (let at = text.indexOf(close.head, from); at >= 0; at = text.indexOf(close.head, at + 1)) {
    const match = matchAt(close, text, at);
    if (match) return match.end;
  }
  return undefined;
}
