import type { Machine } from '../machine/state.ts';
import { matchAt, type Pattern } from './pattern.ts';

/** The limit keeps the search for stray closers cheap. No tool has this many fields. */
const most = 200;

/** Whether a closer is only the inner one of two: a longer one starts with it. */
export const isInner = (closes: readonly Pattern[], close: Pattern): boolean =>
  closes.slice(0, closes.indexOf(close)).some(({ head }) => head.startsWith(close.head));

/** Records the closer of a value that has no escapes. */
export function recordCloser(m: Machine, close: Pattern): void {
  if (close.head !== '' && m.closers.size < most) m.closers.set(close.whole.source, close);
}

/** Records a value that only the end of its call closed. If its closer follows later, the value may extend up to there. */
export function recordUnclosed(m: Machine, close: Pattern): void {
  if (close.head !== '' && m.unclosed.size < 20) m.unclosed.set(close.whole.source, close);
}

/** Whether a value that closes here may continue an earlier value that was not closed or ended too early. */
export function mayContinue(m: Machine, value: string, close: Pattern, before: readonly Pattern[]): boolean {
  if (m.unclosed.has(close.whole.source)) return true;
  return [...m.unclosed.values(), ...before].some((one) => firstClose(value, one) !== undefined);
}

/** Marks the message as ambiguous if a closer outside calls may belong to an earlier value. */
export function checkStrayCloser(m: Machine): void {
  const { outside } = m;
  m.outside = '';
  if (m.twice || outside === '') return;
  for (const close of m.closers.values()) if (firstClose(outside, close) !== undefined) m.twice = true;
}

/**
 * Whether a value contains its own closer and may have ended there. A closer belongs to the value if an opener in the value
 * precedes it, or if it is enclosed in quotes or backticks.
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

/** The offset after the first closer at or after `from`. */
function firstClose(text: string, close: Pattern, from = 0): number | undefined {
  for (let at = text.indexOf(close.head, from); at >= 0; at = text.indexOf(close.head, at + 1)) {
    const match = matchAt(close, text, at);
    if (match) return match.end;
  }
  return undefined;
}
