import { notEnded, type Problem, rootProblem } from '../problem.ts';
import { markRepeated, type Reading } from '../reading.ts';
import type { Repair } from '../repair.ts';
import { equal, isObject, type JsonValue } from '../value.ts';
import { balance } from './chars.ts';
import { ansi } from './lookahead.ts';
import { ambiguousAt, setMark, shorten } from './machine.ts';
import { doubtfulEscape, mixed, pastedFault } from './rules/escape-rules.ts';
import { certaintyOf, readScalar } from './scalars.ts';
import type { Candidate, Machine } from './state.ts';

/** Selects the result: one value, possibly with prose around it, or a problem if it is ambiguous. */
export function pickValue(m: Machine, want: 'object' | 'array' | 'any', cut: boolean, damaged?: boolean): Reading {
  const all = m.current ? [...m.candidates, m.current] : m.candidates;
  const pool = choose(all, want);
  const chosen = pool[0];
  if (!chosen) return bareWord(m);
  const repairs: Repair[] = [...m.outer.repairs, ...chosen.repairs];
  const problems: Problem[] = [...m.outer.problems, ...pool.flatMap((candidate) => candidate.problems)];
  const last = pool.at(-1) as Candidate;
  if (pool.length > 1) {
    if (pool.every(({ value }) => equal(value, chosen.value))) {
      const isSure = pool.every((one) => one.repairs.every(({ certainty }) => certainty === 'lossless'));
      repairs.push(note('duplicate', 'the same value again', isSure ? 'lossless' : 'inferred'));
      for (const { value } of pool) markRepeated([[chosen.value], 0], [[value], 0], (...at) => setMark(m, ...at));
    } else problems.push(twoValues(chosen, last));
  }
  const lead = m.lead.join('');
  const tail = last.after.join('');
  // If all quotes are escaped alike, it is unknown which of them are inside a string.
  if (m.encoded && problems.length === 0 && repairs.some(({ kind }) => kind === 'inner_quote'))
    problems.push(rootProblem('ambiguous', 'is escaped and has unescaped quotes inside'));
  let prose = '';
  // Most texts are nothing but the value.
  if (all.length > 1 || lead || tail) {
    prose =
      lead +
      all
        .slice(0, all.indexOf(last))
        .flatMap(({ after }) => ['\n', ...after])
        .join('');
    const before = all[all.indexOf(chosen) - 1]?.after.join('') ?? lead;
    const taken = new Set(pool);
    if (problems.length === 0) {
      const part = all.find((other, i) => !taken.has(other) && isPart(other, all[i - 1], chosen));
      if (part) problems.push(twoValues(chosen, part));
      else if (opensMore(lead)) problems.push(notWhole(lead));
      // After quoted text that opened a bracket itself.
      else if (all[0] !== chosen && typeof all[0]?.value === 'string' && /^[\s"\\]*[[{]/.test(all[0].value))
        problems.push(inside(all[0].value));
      else if (isInside(before)) problems.push(inside(before));
      else if (chosen.root === 'list' ? isLabel(chosen, tail) : chosen.root === 'string' && /[\p{L}\p{N}]/u.test(tail))
        problems.push(inside(tail));
      else if (
        (m.halted && /["'”]\s*[}\])]*\s*$/.test(tail)) ||
        goesOn(tail, all.at(-1) !== last) ||
        ((m.brackets.added || m.unquoted.last) && /[}\]]/.test(tail))
      )
        problems.push(leftOver(tail));
    }
    // A quoted value continues beyond its end, so the text isn't truncated.
    if (problems.some(({ code }) => code === 'truncated') && /["'`]\s*$/.test(before))
      problems.splice(0, problems.length, inside(before));
    const around = prose.trim() || tail.trim() || JSON.stringify(all.find((one) => !taken.has(one))?.value);
    if (!around) {
      if (/[^ \t\r\n]/.test(lead + tail)) repairs.push(note('invisible', ''));
    } else if (isComments(lead) && !tail.trim()) repairs.push(note('comment', lead.trim()));
    else repairs.push(isMarkup(prose, tail) ? note('token', around) : note('prose', around, 'inferred'));
  }
  const isPython = !m.quotes.notPython && m.quotes.styles.includes("'");
  // A list of strings may also be JSON with the quotes of one string exchanged. A key or \' shows that it isn't.
  const isProgram = !m.quotes.notProgram && (chosen.root !== 'list' || m.keys > 0 || m.escapes.nested);
  const odd = (!isProgram && m.escapes.program) || (isPython ? m.escapes.python : m.escapes.hex);
  if (odd && !problems.some(({ path }) => equal(path, odd.path))) problems.push(odd);
  const { unknown, missing, strings } = m.escapes;
  if ((unknown || missing) && problems.length === 0)
    for (const [path, text, code] of strings) {
      const doubtful = unknown && doubtfulEscape(text, code);
      // If the model didn't escape quotes or control characters, it didn't escape the backslashes of paths either.
      const fault = unknown ? doubtful && mixed(doubtful, `${unknown} in another string`) : pastedFault(text);
      if (fault && problems.length < 9) problems.push(ambiguousAt(path, fault, text));
      else if (unknown && text.includes('\n'))
        repairs.push({ path, kind: 'escape', before: '\\n', after: '\n', certainty: 'inferred' });
    }
  if (damaged || !repairs.every(isAround)) problems.push(...pool.flatMap((candidate) => candidate.doubts));
  if (cut && problems.length === 0 && m.brackets.added) problems.push(notEnded);
  return {
    value: chosen.value,
    repairs,
    problems,
    nesting: chosen.nesting,
    ...(m.marks && { marks: m.marks }),
    ...((prose + tail).trim() && { lead: prose, tail }),
  };
}

/** Whether a repair only concerns what is around the value, which says nothing about how its strings are written. */
export const isAround = ({ kind, path }: Repair): boolean =>
  path.length === 0 && /^(?:fence|prose|token|reasoning|invisible|extra_closer)$/.test(kind);

/**
 * A list of words or numbers followed by more than punctuation is a label, link, footnote mark or pattern at the start
 * of a text. A list of quoted text is one only if no sentence or line ends after it.
 */
function isLabel({ value, repairs }: Candidate, tail: string): boolean {
  const items = value as readonly JsonValue[];
  const quoted = items.some((item) => typeof item === 'string') && !repairs.some(({ kind }) => kind === 'quote');
  if (items.some(isObject) || markup.test(tail.replace(unseen, '')) || (quoted && /^[^\S\n]*[.!;。\n]/.test(tail)))
    return false;
  return !/^(?:[\s.!;,。！…—–]|\p{So}|\ufe0f)*$/u.test(tail);
}

/**
 * Whether another value is part of the data, not a quotation or footnote in prose: it contains objects, or follows on
 * the same line.
 */
function isPart(other: Candidate, before: Candidate | undefined, chosen: Candidate): boolean {
  const isData = other.root !== 'string';
  if (isData && [other.value].flat().some(isObject)) return true;
  const gap = before === chosen ? before.after.join('') : '\n';
  return continued.test(gap + JSON.stringify(other.value)) || (isData && before === chosen && gap.trim() === '');
}

/** Without brackets and quotes, the text may be a number or literal. */
function bareWord(m: Machine): Reading {
  const { repairs, problems } = m.outer;
  const text = m.lead.join('').trim();
  // If something was removed in between, separate parts would be joined.
  const scalar = text.length < 64 && repairs.length + problems.length === 0 ? readScalar(text) : undefined;
  if (!scalar || scalar.unsafe) return { value: undefined, repairs, problems, nesting: 'sure' };
  const read = scalar.repair ? [note(scalar.repair, text, certaintyOf(scalar))] : [];
  return { value: scalar.value, repairs: read, problems, nesting: 'sure' };
}

/** Prefers objects if an object is wanted, and lists otherwise. A quotation is the last resort. */
function choose(all: readonly Candidate[], want: 'object' | 'array' | 'any'): readonly Candidate[] {
  if (all.length === 1) return all;
  const of = (root: Candidate['root']) => all.filter((candidate) => candidate.root === root);
  const objects = of('object');
  const lists = of('list');
  if (want === 'any' && objects.length && lists.length) {
    const first = all.find((candidate) => candidate.root !== 'string') as Candidate;
    return substantial(first.root === 'object' ? objects : lists.concat(objects));
  }
  const [first, second] = want === 'array' ? [lists, objects] : [objects, lists];
  return first.length ? first : second.length ? substantial(second) : of('string');
}

/** Prefers lists with objects to lists such as a footnote mark `[1]`. */
function substantial(pool: readonly Candidate[]): readonly Candidate[] {
  const rich = pool.filter(({ value }) => [value].flat().some(isObject));
  return rich.length ? rich : pool;
}

/** A possible object in a text: a brace, and a colon behind a key. */
const draft = /\{[^{}:]{1,99}:/;
const quotedKey = /["'“][^"'“”\n]{1,100}["'”]\s*[:=]/;
const quoteAndCloser = /["'”]\s*[}\])][\s}\])`]*$/;

/**
 * Quotes or brackets in the line where the value ends, except for tokens such as `[DONE]` and the footnote mark of a
 * sentence.
 */
const continued = /^(?!\s*\p{Lu}\p{L}+ \p{L}+ [^"“{[\n]*\[\d\d?\]\.?\s*(?:\n|$))[^\n]*(?:["“{]|\[(?!\/?[A-Z]))/u;

/**
 * Whether the text after the value isn't prose: quotes or brackets on the same line, a key with a colon, a quote and a
 * closing bracket at its end, a comma with more text, or unmatched closing brackets.
 */
const goesOn = (tail: string, more: boolean): boolean =>
  draft.test(tail) ||
  continued.test(tail.replace(unseen, '')) ||
  quotedKey.test(tail) ||
  quoteAndCloser.test(tail.trimEnd()) ||
  (more ? /^\s*[,，]/ : /^\s*[,，]\s*\S/).test(tail) ||
  balance(tail) < 0;

/** Whether the text before the value opens an object that it doesn't close, so that the value is part of it. */
const opensMore = (lead: string): boolean => lead.includes('{') && balance(lead) > 0;

const markup = /^(?:[\s;]|<\/?(?:(?:tool|function)_calls?|s)>)*$/i;
const openTag = /<(?!(?:tool|function)_calls?>)[|｜]?[\p{L}_][^<>]*>\s*$|<!--(?![\s\S]*-->)/iu;
const listItem =
  /(?:^|\n)[ \t]*(?:- )?["']?[\w.-]+["']?[ \t]*:(?:[ \t]+[^\n]*)?\n[ \t]*(?:- )?["']?[\w.-]+["']?[ \t]*:[ \t]*$/;

const isMarkup = (lead: string, tail: string): boolean =>
  markup.test(lead.replace(unseen, '')) && markup.test(tail.replace(unseen, ''));
/** Color codes and invisible characters. */
const unseen = new RegExp(`${ansi.source}|[\\u200b-\\u200f\\u2060\\ufeff\\u00ad]`, 'g');
/** Whether a text consists of comment lines. */
const isComments = (lead: string): boolean => /^(?:\s*(?:\/\/|#)[^\n]*\n)+\s*$/.test(lead);

/** A lead-in that says what not to send, or shows something wrong. */
const against =
  /(?:\b(?:\w+n['’]t|\w*not|never|avoid|instead of|rather than|bad|wrong|incorrect|invalid|falsch|nicht|niemals|jamais|nunca|ne pas|no (?:ejecut|env|us)\w+)\b|не |никогда|不要|勿|[❌✗])[^.!?;,\n]*$/i;

/**
 * Whether the value is part of the text before it. It isn't after a lead-in, which ends with a line break or a colon,
 * leaves no quote open, and isn't a tag, a shell command or key-value lines.
 */
function isInside(before: string): boolean {
  const lead = before.replace(unseen, '');
  if (markup.test(lead)) return false;
  const text = lead.replace(/(?<![^\S\n\r])[^\S\n\r]+$/, '');
  if (!/(?:[\n\r:：]|<(?:tool|function)_calls?>)$/i.test(text)) return true;
  if (against.test(text.slice(-300).trimEnd())) return true;
  if (openTag.test(lead) || listItem.test(text) || quotedKey.test(lead)) return true;
  return (text.match(/"/g)?.length ?? 0) % 2 === 1 || (text.match(/(?<!\\)`/g)?.length ?? 0) % 2 === 1;
}

/** A repair of the complete text. */
export const note = (kind: Repair['kind'], before: string, certainty: Repair['certainty'] = 'lossless'): Repair => ({
  path: [],
  kind,
  before: shorten(before),
  certainty,
});

const leftOver = (tail: string): Problem =>
  ambiguousAt([], 'is closed too early: more of it follows the closing bracket', tail.trim().slice(0, 200));

const notWhole = (lead: string): Problem =>
  inside(
    lead,
    /^[\s{[]*$/.test(lead)
      ? 'begins with an extra bracket; send one object'
      : 'can only be read in part: a bracket opens before it',
  );

const inside = (lead: string, words = 'is inside other text; send only the object'): Problem =>
  ambiguousAt([], words, lead.trim().slice(-200));

const twoValues = (first: Candidate, second: Candidate): Problem =>
  rootProblem('ambiguous', 'is given twice with different contents; send one call for each', {
    received: [first.value, second.value],
  });
