import { escapedWith, rootProblem } from '../problem.ts';
import { isObject, type JsonValue } from '../value.ts';
import { isCloser, isComma, isQuote, matchAt } from './chars.ts';
import { doubtSurplus, newFrame, open } from './containers.ts';
import { unescapeOnce } from './escapes.ts';
import { awaitText, escapedAhead, keyAhead, opensList, opensObject, peek, quotedKeyAhead } from './lookahead.ts';
import { doubtKeys, problem, repair } from './machine.ts';
import type { Encoded, Machine } from './state.ts';
import { openString } from './strings.ts';

/** Outside of any value: finds the start of one, and keeps the rest as prose. Returns false if more text is needed. */
export function stepTop(m: Machine): boolean {
  if (m.reasoning) return skipReasoning(m);
  const found = matchAt(marks, m.text, m.at);
  const at = found ? found.index : m.text.length;
  keep(m, at);
  if (!found) return false;
  return stepMark(m, m.text[at] as string);
}

const marks = /[{["'`“”‘(<}\]),，]/g;

function stepMark(m: Machine, char: string): boolean {
  if (char === '<') return stepTag(m);
  if (char === '`') return stepFence(m);
  if (isCloser(char)) return stepCloser(m, char);
  if (isComma(char)) return stepComma(m);
  if (char === '(') return keep(m);
  if ('{['.includes(char)) return stepOpener(m, char);
  return stepQuote(m);
}

/** Keeps the text up to `to` as prose, by default one character. */
function keep(m: Machine, to = m.at + 1): true {
  if (to <= m.at) return true;
  const piece = m.text.slice(m.at, to);
  if (m.blank && piece.trim() !== '') m.blank = false;
  const pieces = m.candidates.at(-1)?.after ?? m.lead;
  pieces.push(piece);
  // Merges many small pieces, which would use more memory than a few large ones.
  if (pieces.length > 256) pieces.splice(0, pieces.length, pieces[0] + pieces.slice(1).join(''));
  m.at = to;
  return true;
}

/** Adds a line break to the prose, because what was removed separates it from the value. */
function breakLead(m: Machine): void {
  if (m.candidates.length === 0 && m.lead.length > 0) m.lead.push('\n');
}

/** Whether there was only white space so far. */
const isFirst = (m: Machine): boolean => m.candidates.length === 0 && m.blank;

function stepOpener(m: Machine, char: string): true {
  if (!m.encoded) unescapeHere(m);
  if (char === '{' ? opensObject(m, m.at) : opensList(m, m.at, isFirst(m))) open(m, char);
  else keep(m);
  return true;
}

/** Removes a level of escapes if all quotes are escaped. */
function unescapeHere(m: Machine): void {
  if (/^[[{][\s\\nrt[{]*$/.test(m.text.slice(m.at, m.at + 16))) awaitText(m, m.at + 16);
  if (!escapedAhead(m, m.at)) return;
  m.encoded = { inString: false, pending: '' };
  repair(m, 'encoding', m.text.slice(m.at, m.text.indexOf('"', m.at) + 1));
  const text = takeLevelOff(m, m.encoded, m.text.slice(m.at));
  m.offset += m.at;
  m.text = text;
  m.at = 0;
}

/**
 * Removes a level of escapes. Without quotes around the text, it is unknown whether everything was escaped or only the
 * quotes. So a backslash in a string is ambiguous, and an unescaped quote means that only part was escaped.
 */
export function takeLevelOff(m: Machine, encoded: Encoded, chunk: string): string {
  const piece = encoded.pending + chunk;
  const [text, held] = unescapeOnce(piece, m.ended);
  encoded.pending = held;
  for (const [sign] of piece.slice(0, piece.length - held.length).matchAll(/\\[\s\S]?|["'`]/g)) {
    if (sign === '\\"') encoded.inString = !encoded.inString;
    else if (sign === "'" || sign === '`') {
      // A string in other quotes, whose backslashes may belong to it.
      if (encoded.otherQuote === sign) encoded.otherQuote = undefined;
      else if (!encoded.inString) encoded.otherQuote ??= sign;
    } else if ((encoded.inString || encoded.otherQuote || !/^\\[nrt]$/.test(sign)) && m.outer.problems.length === 0)
      m.outer.problems.push(rootProblem('ambiguous', sign === '"' ? inPart : escapedWith(sign)));
  }
  return text;
}

const inPart = 'is partly escaped; send it unescaped';

/** A quote at the start: a key without opening brace, or text that was encoded twice. */
function stepQuote(m: Machine): boolean {
  if (!isFirst(m)) return keep(m);
  if (!quotedKeyAhead(m, m.at)) return openString(m, false);
  open(m, '{', true);
  repair(m, 'opener', '{', 'inferred');
  return true;
}

/** A comma directly after an object and followed by a key: the object was closed too early. */
function stepComma(m: Machine): true {
  const last = m.candidates.at(-1);
  if (!last || !m.blank || !isObject(last.value) || m.reopened) return keep(m);
  if (!keyAhead(m, peek(m, m.at + 1), false)) return keep(m);
  m.candidates.pop();
  last.after.length = 0;
  m.current = last;
  last.nesting = 'inferred';
  const held = Object.values(last.value);
  const earlier = held.slice(0, -1);
  doubtSurplus(m, '}', held.at(-1));
  m.stack.push(newFrame('{', last.value));
  repair(m, 'extra_closer', '}', 'inferred');
  if (earlier.some(isObject) || m.unquoted.loose)
    problem(m, 'ambiguous', 'has an extra closing bracket, and it is unclear which');
  m.mode = 'after';
  m.reopened = true;
  return true;
}

/** Repairs between two fields. */
const beside = /^com/;

/** A closing bracket after the value is superfluous. Twice in one text, it is ambiguous. */
function stepCloser(m: Machine, char: string): true {
  const last = m.candidates.at(-1);
  if (!last || !m.blank || char === ')') return keep(m);
  m.current = last;
  doubtSurplus(m, char, last.value);
  // The bracket that opens it may be lost or in a comment, before fields of this object.
  if (last.repairs.at(-1)?.kind !== 'extra_closer' && last.repairs.some(({ kind }) => beside.test(kind))) doubtKeys(m);
  repair(m, 'extra_closer', char);
  if (char === '}' && last.nesting !== 'keys' && closesInside(last.value) && last.nesting !== 'inferred')
    last.nesting = 'early';
  if (m.reopened || m.unquoted.loose || m.brackets.added.includes(char))
    problem(m, 'ambiguous', 'has an extra closing bracket, and it is unclear which', { path: [] });
  m.current = undefined;
  m.at++;
  return true;
}

/** Whether an inner object ends before more keys follow, so that its bracket may be the superfluous one. */
function closesInside(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(closesInside);
  if (!isObject(value)) return false;
  const held = Object.values(value);
  return held.some((inner, i) => (isObject(inner) && i < held.length - 1) || closesInside(inner));
}

/** A fence with its language. A word with a capital behind a blank is prose. */
const fence = /```(?:[\w+-]+|[ \t]*[a-z\d+-]*)/y;

const behindFence = /\s{0,99}\S/y;

function stepFence(m: Machine): boolean {
  if (/^`{1,3}[ \t]*[\w+-]*$/.test(m.text.slice(m.at, m.at + 24))) awaitText(m, m.at + 24);
  const found = matchAt(fence, m.text, m.at)?.[0];
  if (found !== undefined) {
    const opens = !m.fenced && matchAt(behindFence, m.text, fence.lastIndex);
    if (m.candidates.length && !m.fenced && !opens) awaitText(m, m.text.length + 1);
    // A word after the fence that closes is no language.
    const mark = m.candidates.length && !opens ? '```' : found;
    m.fenced = !m.fenced;
    repair(m, 'fence', mark);
    m.at += mark.length;
    breakLead(m);
    return true;
  }
  return isQuote(m.text[m.at]) && isFirst(m) ? stepQuote(m) : keep(m);
}

const tag = /<(\/?)(think|thinking|thought|reasoning|reflection)>|<[|｜][^|｜>\s{}"']{1,64}[|｜]>/iy;

/** A token that begins the turn of the user, the system or a tool. */
const otherSpeaker =
  /^<[|｜].*(?<![a-z])(?:user|human|prompter|system|developer|customer|observation|environment|ipython|inst(?:ruction)?|(?:tool|function)s?(?:[^a-z]*(?:response|result|output)s?|(?=[|｜]>$)))(?![a-z])/i;

/** Removes reasoning blocks and special tokens. Other tags are prose. */
function stepTag(m: Machine): true {
  const found = matchAt(tag, m.text, m.at);
  if (!found) {
    if (!/[\s>]/.test(m.text.slice(m.at + 1, m.at + 70))) awaitText(m, m.at + 70);
    return keep(m);
  }
  // What follows is not the model's.
  if (m.candidates.length === 0 && otherSpeaker.test(found[0])) return keep(m, tag.lastIndex);
  m.at = tag.lastIndex;
  repair(m, found[2] ? 'reasoning' : 'token', found[0]);
  breakLead(m);
  if (!found[2]) return true;
  if (found[1]) {
    if (m.candidates.length) m.changes?.push({ type: 'reset', path: [] });
    m.candidates.length = 0;
    m.lead.length = 0;
    m.blank = true;
  } else m.reasoning = `</${found[2]}>`;
  return true;
}

/** Skips reasoning before the value. After it, it may take the value back, and so it is prose. */
function skipReasoning(m: Machine): boolean {
  const mark = m.reasoning as string;
  const end = matchAt(new RegExp(mark, 'gi'), m.text, m.at)?.index;
  const to = end ?? Math.max(m.at, m.text.length - (m.ended ? 0 : mark.length));
  if (m.candidates.length) keep(m, to);
  m.at = to;
  if (end === undefined) return false;
  m.at += mark.length;
  m.reasoning = undefined;
  return true;
}
