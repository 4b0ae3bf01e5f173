import { isQuote, matchAt } from './chars.ts';
import { assign } from './containers.ts';
import { awaitText, peek } from './lookahead.ts';
import { endOf, fail, flush, repair, reportString } from './machine.ts';
import type { Machine, OpenString } from './state.ts';

/**
 * Pieces whose joint may be a quotation within one string: between punctuation, unless it would open directly after a
 * phrase or close directly before a list separator.
 */
const quotation = /^(?![.,!?…)\]。！？] [\p{L}\p{N}]|\n[-*#>] )[^\p{L}\p{N}_]{2}/u;
/** After a plus, it would also close directly before an indent, or a sign that follows no quotation (`"ls " + "-la"`). */
const noQuotation = /^(?:\s[^\s,;:.)\]}"'`]|\n\s\s)/;

/** An option of a command, which may directly precede its value in quotes (`cut -d" " -f1`). */
const option = /(?:^|\s)[-/][\w-]{0,32}$/;

/** Whether the quotes between two pieces of a string may be a quotation in it (`printf " " x`). */
export function mayBeQuotation(before: string, after: string, plus: boolean): boolean {
  const meeting = (before.at(-1) ?? ' ') + after.slice(0, 2);
  if (quotation.test(meeting) && !(plus && noQuotation.test(meeting))) return true;
  return option.test(before) && /^\s/.test(after);
}

const blankMeeting = /^.?\s|^.[.,;:!?]\s/s;
const keyPiece = /[\p{L}_][\p{L}\p{N}_.-]{0,63}(?:\s?[:：=])?/uy;
const joint = /\s*\+\s*|\s+/y;
/** Makes quoted text part of an expression: a name or number after an operator, or a method call. */
const operand = /\s*(?:[+%]\s*[\p{L}\p{N}_$(][^"'`,}\]\n]{0,200}[,}\])\n]|\.\w{1,64}\(|%\s*\()/uy;
/** The start of one, as far as the text has arrived. */
const operandSoFar = /\s*(?:[+%]\s*(?:[\p{L}\p{N}_$(][^"'`,}\]\n]{0,200})?|\.\w{0,64})$/uy;

/**
 * Continues with the next piece of a string written in several (`"a" + "b"`, and in an object, where no comma can be
 * missing, also `"a" "b"`). Returns false if there is none.
 */
export function nextPiece(m: Machine, string: OpenString): boolean {
  peek(m, m.at + 1);
  if (matchAt(operand, m.text, m.at + 1)) return failAfter(m, string, 'is an expression, not a value');
  if (matchAt(operandSoFar, m.text, m.at + 1)) awaitText(m, m.text.length + 1);
  const [between] = matchAt(joint, m.text, m.at + 1) ?? [];
  if (between === undefined) return false;
  // After the next quote.
  const from = m.at + 2 + between.length;
  awaitText(m, from);
  const frame = m.stack.at(-1);
  const plus = between.includes('+');
  const sure = plus || frame?.closer === ')';
  if (m.text[from - 1] !== string.quote || !(sure || frame?.list === false)) return false;
  const piece = sure ? '' : (matchAt(keyPiece, m.text, from)?.[0] ?? '');
  const next = m.text[from + piece.length];
  awaitText(m, from + piece.length + 1);
  if (piece && next === string.quote) {
    // A word between two strings may be a key without its comma and colon.
    const behind = peek(m, from + 1 + piece.length);
    const isKey = m.colonMissing || isQuote(m.text[behind]);
    if (isKey || /[:：=]$/.test(piece))
      return failAfter(
        m,
        string,
        isKey ? 'is followed by a string that may be a key' : 'has its colon inside the quotes',
      );
  }
  const apart = between.includes('\n');
  // As a quotation, the quotes may belong to the text, except around a line break where other line breaks are escaped.
  const after = m.text.slice(from, from + 2);
  awaitText(m, from + 2);
  const isQuoted =
    mayBeQuotation(endOf(string), after, plus) && !(apart && string.last === '\n' && !string.escapes.raw);
  const isJoined = sure || blankMeeting.test((string.last ?? ' ') + after);
  // Without a blank where they meet, they may be quoted words, or items of a list (`"rm" "-rf"`).
  if (isQuoted || string.escapes.quotes % 2 === 1 || !isJoined) string.pieces = 'doubted';
  string.pieces ||= sure || apart ? 'sure' : 'beside';
  if (frame && !plus) frame.pieces = true;
  repair(m, 'quote', m.text.slice(m.at, from), 'inferred');
  m.at = from;
  return true;
}

/** Fails after a string, and keeps its text, as for a text that arrives in chunks. */
function failAfter(m: Machine, string: OpenString, why: string): false {
  reportString(m);
  flush(string);
  assign(m, string.text);
  fail(m, why);
  return false;
}
