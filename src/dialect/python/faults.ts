import { closesInComment, hasLooseQuote } from '../../json/tolerant/rules/comment-rules.ts';
import type { Frame, Item, Machine } from './state.ts';

/**
 * Where signs are missing or superfluous, and a repair would guess: a character that moved across a quote, a key that
 * swallowed text, a bracket whose place is unknown, a comment that may be text.
 */

export const movedComma = 'ends in the comma that is missing after its quotes';
const movedCloser = 'ends in the bracket that is missing after its quotes';
const openGroup = 'has a parenthesis that is not closed';
const closesTwice = 'lacks a closing bracket, which may belong inside its last list';
export const closesNothing = 'is followed by an unmatched closing bracket; check for a misplaced quote';
const brokenKey =
  'has a key with a quote or line break that is not escaped, or in pieces; it may hold other keys or values';
export const mayBeText =
  'has a comment that may be part of a value; leave the comment out, or escape every quote in the text';

/** How far back a sign is searched. */
const near = 64;
const commaInQuote = /[,;]\s*["'”’]\s*$/;
const closerInQuote = /[)\]}]\s*["'”’][\s)\]}]*$/;

/** Whether the text before `at` is a string that ends in a comma, which may be the one missing after it. */
export const isCommaMoved = (text: string, at: number): boolean =>
  commaInQuote.test(text.slice(Math.max(0, at - near), at));

/** Whether the text before `at` is a string that ends in a closing bracket, which may be the one missing after it. */
export const isCloserMoved = (text: string, at: number): boolean =>
  closerInQuote.test(text.slice(Math.max(0, at - near), at));

/** Why a key can't be used. It is never mended: what its quotes swallowed may be other keys and values. */
export const keyFault = ({ fault, joined }: Item): string | undefined => fault ?? (joined && brokenKey);

export const holdsArgument =
  'has a key written like an argument, before which a closing bracket may be missing; write "key": value inside braces';

/** Why the place of the closer that a bracket lacks is unknown; `at` is where another one closes it. */
export function lostCloserFault({ text }: Machine, frame: Frame, at: number): string | undefined {
  if (frame.holdsArgument) return holdsArgument;
  if (isCloserMoved(text, at)) return movedCloser;
  if (frame.closer === ')') return openGroup;
  return mayCloseInside(frame) ? closesTwice : undefined;
}

/** Whether the bracket that a list lacks may belong inside its last item, which then ends earlier. */
function mayCloseInside({ closer, positional }: Frame): boolean {
  let last = closer === ']' ? positional.at(-1) : undefined;
  while (Array.isArray(last) && last.length === 1) [last] = last;
  return Array.isArray(last) && last.length > 1;
}

const lineStart = /(?:^|\n)[ \t]*$/;

/** Whether only blanks are before the current place on its line. */
export const startsLine = ({ text, at }: Machine): boolean => lineStart.test(text.slice(Math.max(0, at - 256), at));

/** A comma and a keyword argument. */
const argumentInside = /,\s*\w{1,64}\s*=(?!=)/;

/**
 * Whether a comment may be text. On its own line it is a comment, unless it ends a text. Next to a token it probably is,
 * but not with quotes of a text, or in a list with what may be items.
 */
export function mayBeValue(comment: string, isAlone: boolean, { name, closer }: Frame): boolean {
  if (hasLooseQuote(comment)) return !isAlone || /["'”’][\s,;)\]}]*$/.test(comment);
  if (!isAlone && (argumentInside.test(comment) || closesInComment(comment, closer))) return true;
  return name === undefined && closer === ']' && (isAlone ? /^#\S.*,\s*$/ : /[,"']/).test(comment);
}
