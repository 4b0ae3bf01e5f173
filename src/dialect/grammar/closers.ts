import type { Machine } from '../machine/state.ts';
import { onlyEnds, type ReadyForm } from './grammar.ts';
import type { TaggedEnds } from './parameter-ends.ts';
import { endAt, type Pattern, partAt } from './pattern.ts';

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

/** Marks the message as ambiguous if the text after a call may belong to one of its values. */
export function checkOutside(m: Machine, form: ReadyForm | undefined): void {
  const { outside } = m;
  m.outside = '';
  if (m.twice || outside === '') return;
  for (const close of m.closers.values()) if (firstClose(outside, close) !== undefined) m.twice = true;
  m.tail ||= form !== undefined && form.body !== 'params' && form.body !== 'word' && isTail(outside, form);
}

/**
 * Whether text after a call is the rest of one of its values, because an unescaped quote ended the value too early: the
 * text starts with a quote, contains the closer without its opener, or closes brackets that it doesn't open.
 */
const isTail = (text: string, form: ReadyForm): boolean =>
  /^["']/.test(text) || form.closes.some((close) => repeats(text, close, form)) || closesMore(text, form);

const tokens = /<[^<>\n]{1,80}>/g;

/** Whether words and then the closer of a call follow, without an opener. An end of the turn may follow words. */
function repeats(text: string, close: Pattern, { open, row }: ReadyForm): boolean {
  if (!/^[<[]/.test(close.head) || onlyEnds.test(close.head)) return false;
  const openers = row.frame?.open ?? [/^[^{~]*/.exec(open)?.[0] ?? ''];
  let from = 0;
  for (let match = closerIn(text, close); match; match = closerIn(text, close, from)) {
    const said = text.slice(from, match.at);
    from = match.end;
    if (/[^\s)\]}]/.test(said.replace(tokens, '')) && !openers.some((one) => one && said.includes(one))) return true;
  }
  return false;
}

/** Whether a bracket closes after a value that the text doesn't open. In prose, only a brace is none of its own. */
function closesMore(text: string, { body }: ReadyForm): boolean {
  const open: Record<string, number> = { '}': 0, ']': 0, ')': 0 };
  if (!/[)\]}]/.test(text)) return false;
  let last = '';
  for (const [char] of text.matchAll(/\S/g)) {
    const closer = closerOf[char];
    if (closer) open[closer] = (open[closer] as number) + 1;
    else if (open[char]) open[char] = (open[char] as number) - 1;
    else if (open[char] === 0 && mayEnd(last, char, body)) return true;
    if (!(char in open) || last !== '') last = char;
  }
  return false;
}

const closerOf: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
const mayEnd = (last: string, char: string, body: string): boolean =>
  char === '}' ? last !== '' : /["')}]/.test(last) && (char === ']' || body === 'python');

/**
 * Whether a value contains its own closer and may have ended there. A closer belongs to the value if an opener in the value
 * precedes it, if it is enclosed in quotes or backticks, or if words follow it and the value contains nothing that may
 * follow a parameter (`next`, undefined if the value isn't closed).
 */
export function holdsCloser(value: string, ends: TaggedEnds, next: readonly Pattern[] | undefined): boolean {
  let first: number | undefined;
  for (const end of unopenedClosers(value, ends)) {
    if (!next || isEnd(value, end, ends.close)) return true;
    first ??= end;
  }
  return first !== undefined && next?.some((one) => firstClose(value, one, first) !== undefined) === true;
}

const noSentence = /[^\S\n]*[\n<\]]|[\p{L}\p{N}]/uy;

/** Whether a value contains its own closer where no sentence continues: before a line break, markup or a glued word. */
export function closesInside(value: string, ends: TaggedEnds): boolean {
  for (const end of unopenedClosers(value, ends)) {
    noSentence.lastIndex = end;
    if (noSentence.test(value)) return true;
  }
  return false;
}

/** The offsets after closers in a value that belong to no opener in it and aren't in quotes. */
function* unopenedClosers(value: string, { close, closer }: TaggedEnds): Generator<number> {
  if (close.head === '') return;
  const opener = closer.startsWith('</') ? `<${closer.slice(2).replace(/>$/, '')}` : undefined;
  let openers = 0;
  let from = 0;
  for (let match = closerIn(value, close); match; match = closerIn(value, close, from)) {
    const { at, end } = match;
    if (opener) openers += value.slice(from, at).split(opener).length - 1;
    const before = value[at - 1] ?? '';
    if (openers > 0) openers -= 1;
    else if (!/["'`]/.test(before) || value[end] !== before) yield end;
    from = end;
  }
}

/** Whether only white space follows a closer, up to the next one or the end of the value. */
function isEnd(value: string, from: number, close: Pattern): boolean {
  let at = from;
  while (at < value.length && value.charCodeAt(at) <= 32) at += 1;
  return at === value.length || partAt(close, value, at);
}

/** The offset after the first closer at or after `from`. */
const firstClose = (text: string, close: Pattern, from = 0): number | undefined => closerIn(text, close, from)?.end;

/** The first closer at or after `from`, in any of its spellings. */
function closerIn(text: string, close: Pattern, from = 0): { at: number; end: number } | undefined {
  const start = close.lead || close.head;
  for (let at = text.indexOf(start, from); at >= 0; at = text.indexOf(start, at + 1)) {
    const end = endAt(close, text, at);
    if (end >= 0) return { at, end };
  }
  return undefined;
}
