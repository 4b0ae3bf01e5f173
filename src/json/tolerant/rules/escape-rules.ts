import type { Problem } from '../../problem.ts';
import type { Path } from '../../value.ts';
import { isWord } from '../chars.ts';
import { ambiguousAt } from '../machine.ts';
import type { Escapes, OpenString } from '../state.ts';

/** An underscore in a quotation: a pattern in SQL or code, where the backslash may be intended. */
const quotedUnderscore =
  /"[^"]{0,500}_[^"]{0,500}"|`[^`]{0,500}_[^`]{0,500}`|(?<![\p{L}\p{N}])'[^']{0,500}_[^']{0,500}'(?![\p{L}\p{N}])/u;

/**
 * Escapes that look like a path or pattern pasted between other quotes than JSON's: after a drive, dots or a server,
 * before the name of a file, and control characters that text doesn't have. Looks only at control characters.
 */
const pasted =
  /[\b\f]|(?<=(?<![\p{L}\p{N}])[C-Zc-h]:|(?:^|[\s"=(])(?:\.\.?|\\[\w.$-]+))[\t\n\r](?=\w)|(?<=^[\w-]+)(?=\s(?:[\w-]+\s)*[\w-]+\.[a-z]\w{0,4}$)[\t\n\r](?=\w)/u;

/** The first control character of a text, as its escape. */
const controlIn = (text: string): string => JSON.stringify(/[\b\f\n\r\t]/.exec(text)?.[0] ?? '').slice(1, -1);

/** Why the escapes of a string may be text: in other quotes than JSON's, in code, or next to strings without escapes. */
export const pastedFault = (text: string, valid: string = controlIn(text)): string | undefined =>
  valid && pasted.test(text)
    ? `has ${valid}, which may be part of a path or pattern; write every backslash of the text as \\\\`
    : undefined;

/** Why the escapes of a finished string are ambiguous; undefined if they follow one rule. */
export function escapeFault(escapes: Escapes, text: string, quote: string): string | undefined {
  const { valid, unknown, underscore, habitual, joined, broken, ambiguous, quotes, overEscaped, nested } = escapes;
  const { raw, loose } = escapes;
  const [first, second] = [unknown, underscore, joined].filter(Boolean);
  const beside = second || valid || (nested && `\\${quote}`);
  const written = valid || underscore || joined || unknown;
  const escaped = quotes + overEscaped;
  // Most strings have no escapes.
  if (!written && !nested && !escaped && !habitual && !broken && !ambiguous) return undefined;
  const reasons = [
    broken && `has the broken escape ${broken}; write \\u with four digits, or \\\\u for a backslash`,
    ambiguous && `has ${ambiguous}, which has two readings; write the text in double quotes`,
    unknown && /\\&(?:quot|apos|#3[49]);/.test(text) && mixed('\\&', 'an entity'),
    // One of two escaped quotes may be missing.
    unknown && quotes % 2 === 1 && mixed(unknown, 'an odd number of \\"'),
    quote !== '"' && pastedFault(text, valid),
    nested && valid && quote === "'" && breaksQuotation(text) && mixed("\\'", valid),
    habitual &&
      `has ${habitual}, which JSON does not know; write \\${habitual} for a backslash, or ${habitual.slice(1)} alone`,
    underscore && quotedUnderscore.test(text) && mixed(underscore, 'quotes around it'),
    first && beside && mixed(first, beside),
    // An escape in JavaScript, but a backslash in Go.
    quote === '`' && (valid || quotes > 0) && mixed(valid || '\\"', 'backticks'),
    // Next to what isn't escaped, it means that only part of the text was.
    written && (raw || loose) && mixed(written, raw ? lineBreaks : plainQuotes),
    nested && loose && mixed(`\\${quote}`, plainQuotes),
    escaped > 0 && quote !== '"' && text.split('"').length - 1 > escaped && mixed('\\"', plainQuotes),
  ];
  return reasons.find(Boolean) || undefined;
}

/** The letters of a string with a prefix (`f'…'`, `rb'…'`). */
const prefix = /(?<![\p{L}\p{N}_])[bfru]{1,2}$/iu;

/**
 * Whether a text is a pattern or code, whatever its escaped signs mean: it has an escaped letter or digit (`\\d`, `\\1`), an
 * escaped point in a word, an anchor, a quantifier, a class or an alternative, or blanks inside escaped brackets.
 */
const pattern =
  /\\[\p{L}\p{N}]|\\[[(]\s|^\^|(?<!\\)\$$|[.\])}][*+?]|[\])}]\{\d|(?<!\\)\[(?:\^|[^\]]*\w-\w)|(?<!\\)(?:\(\?|\|)|^\S*\\\.\S*$/u;

/** Whether an escaped sign (`app/\\[id\\]`) may as well be the sign alone. */
export const doubtsSign = ({ sign }: Escapes, text: string): boolean => sign !== undefined && !pattern.test(text);

/** Whether a control character stands inside a quotation, where code would have an escape (`split('\t')`). */
function breaksQuotation(text: string): boolean {
  let open = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (open && code >= 8 && code <= 13 && code !== 11) return true;
    if (code !== 39) continue;
    const inWord = isWord(text[at - 1]);
    // An apostrophe within a word neither opens nor closes.
    open = open ? inWord && isWord(text[at + 1]) : !inWord || prefix.test(text.slice(Math.max(0, at - 3), at));
  }
  return false;
}

/** Blank lines, and line breaks before an indent, a list item, a heading or a capital, and at the end. */
const sureBreak = /(?:\r?\n){2,}|\r?\n(?:\t+(?![a-z])|(?=$|[\s\p{Lu}\d#<}@-]|[*>|] |\/\/|[^ -~]))/gu;
/** In a text with two such line breaks, also those between lines of words or code. */
const plainBreak = /(?<=(?:^|\s)[\w.]*\w|[)\]"'`])\r?\n(?=\w+[ =:;]|\w[\w.]*\(|[)\]])/g;

/**
 * The first escape of a string that may be text (`C:\temp`, `\bfoo\b`, `\frac`), if another string of the same call
 * has backslashes that were not escaped. Line breaks are sure in a text of several lines, except within quotes. A single
 * one may be part of a path, pattern or command (`src\new`, `lib\nUnit`, `tr , \n`).
 */
export function doubtfulEscape(text: string, coded?: string): string | undefined {
  if (coded && (coded !== '\\u' || /[[\]|^$*+{}\\]|^\w:/.test(text))) return coded;
  // A backslash inside a word is escaped in this text, so that line breaks are, too.
  const isEscaped = /\S\\[A-Za-mo-z.]/.test(text);
  if (!isEscaped) {
    // A backslash at the end of a line, as in shells.
    if (/\s\\n|\\n(?![a-z])/.test(text)) return '\\\\n';
    const lines = text.split('\n').slice(0, -1);
    if (lines.some((line) => line.split(/["`]|\B'|'\B/).length % 2 === 0)) return '\\n';
  }
  // Tabs are indents if they indent a block.
  const indented = /[{(]\n\t|\):\n\t/.test(text) ? text.replace(/\n\t+/g, '\n ') : text;
  const isText = isEscaped || (indented.match(sureBreak)?.length ?? 0) > 1;
  const rest = isText ? indented.replace(isEscaped ? /\r?\n/g : sureBreak, '\v').replace(plainBreak, '\v') : indented;
  const [found] = /[\b\f\n\r\t]/.exec(rest) ?? [];
  return found && JSON.stringify(found).slice(1, -1);
}

/** A JSON escape beside plain double quotes or an escaped single quote, in other quotes. */
export function besideQuotes(path: Path, { escapes, text, quote }: OpenString): Problem | undefined {
  const { nested, valid, quotes, underscore, joined } = escapes;
  if (nested && valid && quote === "'") return ambiguousAt(path, mixed("\\'", valid), text);
  const written = !quotes && text.includes('"') && (valid || underscore || joined);
  return written ? ambiguousAt(path, mixed(written, plainQuotes), text) : undefined;
}

const lineBreaks = 'line breaks that are not escaped';
const plainQuotes = 'quotes that are not escaped';

export const mixed = (one: string, other: string): string => {
  const first =
    other === plainQuotes
      ? 'every quote inside as \\" and '
      : other === lineBreaks
        ? 'every line break as \\n and '
        : '';
  return `has ${one} beside ${other}, which has two readings; write ${first}every backslash of the text as \\\\`;
};
