import { balance, isCloser, isComma, matchAt } from '../chars.ts';
import type { Machine, OpenString } from '../state.ts';

// A comment has no quotes except for apostrophes and quotations. Any other quote may belong to a string around it.

const commentStart = /^[ \t]*(?:#|\/[/*])/;
/** A quote that isn't an apostrophe. */
const anyQuote = /["“”`]|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu;

/** Whether a comment on the line of a closing quote may be text of the string: any quote directly after it, or an unpaired one. */
export function commentMayBeText(behind: string): boolean {
  if (!commentStart.test(behind)) return false;
  const count = behind.match(anyQuote)?.length ?? 0;
  return /^\s/.test(behind) ? count % 2 === 1 : count > 0;
}

/** Text in quotes that open and close it next to blanks and punctuation. */
const quotations = /(?<![^\s([{:=,#/])(["'])(?=\S)[^"'\n]*?(?<=\S)\1(?=$|[\s.,;:!?)\]}])/g;
const looseQuote = /["“”]|(?<![\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])/u;

/** Whether a comment has an unpaired quote, so that it may be part of the value before or after it. */
export const hasLooseQuote = (comment: string): boolean => looseQuote.test(comment.replace(quotations, ''));

const commentLines = /([ \t\r\n]*,?)([ \t\r\n]*(?:(?:#|\/\/)[^\n]*(?:\n[ \t\r\n]*|$))+)/y;
/** A member or item that was commented out: a quoted text at its start. */
const disabled = /^(?:#|\/\/)+\s*(["'])[^"'\n]*\1\s*(?:[:=]|,?\s*$)/;

const window = 512;
const besideString = /([ \t]*)((?:#|\/\/)[^\n]*)/y;
/** A comma and a key, quoted as in JSON or Python. */
export const memberInside: RegExp = /,\s*(["'])[^"'\n]{1,128}\1\s*:/;
/** An item with its comma behind a remark: the line break before it may be lost. */
export const itemInside: RegExp = /^(?:#|\/\/)\s*[^\s#/"'{[].*["'}\]]\s*,\s*$/;
/** Brackets, but those of `1)`. */
const brackets = /[{}[\](]|(?<!(?<![\w(])\d{1,2})\)/g;

/** Whether a comment on the line of other tokens has the bracket that closes the open container, and doesn't open it. */
export function closesInComment(comment: string, closer: string): boolean {
  let depth = 0;
  for (const [bracket] of comment.matchAll(brackets)) {
    if (!isCloser(bracket)) depth++;
    else if (depth > 0) depth--;
    else if (bracket === closer) return true;
  }
  return false;
}

/** Whether a comment is an ellipsis, or begins or ends with one: it stands for what was left out. */
export const leavesOut = (comment: string): boolean =>
  /^[\s#/*]*(?:\.{3}|…)|(?:\.{3}|…)(?:\s*\*\/)?$/.test(comment.trimEnd());

/** A quoted text that is all the comment says, or several, and not a member that was commented out. */
const onlyQuoted = /^(?:#|\/\/)\s*(["'])(?![^"'\n]*\1\s*[:=]).*\1$/;

/**
 * Whether a comment that follows a string without a comma may be its text, because it holds what ends a value: a comma
 * at its end, a closing bracket, another member, or its last quote. Directly at the quote, also if no blank sets it off.
 */
export function endsInComment({ text, at }: Machine, { last = '' }: OpenString): boolean {
  const [, gap, written] = matchAt(besideString, text.slice(0, at + window), at) ?? [];
  if (gap === undefined || written === undefined) return false;
  const comment = written.trimEnd();
  return (
    isComma(comment.at(-1)) ||
    balance(comment) < 0 ||
    onlyQuoted.test(comment) ||
    (gap === '' && (/^(?:#|\/\/)\S/.test(comment) || /[\s([{:=]/.test(last)))
  );
}

/**
 * Whether comments after the closing quote may be text of the string: one of them ends in a quote of its kind, as the
 * string would. After a comma or on the same line, only if that quote isn't part of a quotation.
 */
export function continuesInComment(m: Machine, close: string): boolean {
  const [, before, comments = ''] = matchAt(commentLines, m.text, m.at) ?? [];
  if (before === undefined) return false;
  // A remark after a comma, or on the same line, may quote something.
  const remark = /,|^[ \t]*$/.test(before);
  const endsInQuote = (line: string): boolean =>
    /^(?:#|\/\/)/.test(line) && close.includes(/([^\s,;}\])])[\s,;}\])]*$/.exec(line)?.[1] ?? ' ');
  return comments.split('\n').some((written) => {
    const line = written.trim();
    return endsInQuote(line) && (endsInQuote(line.replace(quotations, '')) || !(remark || disabled.test(line)));
  });
}
