import { type Marker, type MarkerKind, type MarkerMatch, mayOnlyEnd, onlyEnds } from '../grammar/grammar.ts';
import { markersAt } from '../grammar/marker-trie.ts';
import { isAt, partAt } from '../grammar/pattern.ts';
import type { Machine } from '../machine/state.ts';
import { begins } from './place.ts';
import { aroundOf, inSentence, isOver, isShown } from './shown.ts';
import { placeOf } from './track-text.ts';

/** Markers that aren't text if they frame a response, but may be words in one. */
const framing: ReadonlySet<MarkerKind> = new Set(['noise', 'end', 'wrap', 'think', 'thinkEnd', 'frameEnd']);

/** A sentence that continues after a word. */
const goesOn = /^[ \t]\p{Ll}/u;
/** A compound (`<think>-Block`), and what else only follows a tag in a sentence. */
const compound = /^\p{Pd}\p{L}/u;
const glued = /^(?:[,;:?!)\]|/]|\.(?!\.)|['’]s|\p{Pd}\p{L})/u;
/** What explains a tag after a blank: `<think> (id 2)`, `</think> = 1`. */
const explains = /^[ \t][=(|→\p{Pd}]/u;
/** What joins an opening and a closing tag in a sentence. */
const joins = /^ ?(?:…|\.{3}|[/&+]|and|or|und|oder|et|ou|y|e|o|и|или|[とや和或与與및와과])? ?/iu;
const longestPair = 8;
/** No blank follows a frame. */
const blank = /^[ \t]/;
const punctuation = /^[ \t.,;:!?)]/;
const longestLine = 300;

type Seen = 'yes' | 'no' | 'wait';

/** Whether a frame, a token or a reasoning tag is only mentioned: it is a word in a sentence, and frames nothing. */
export function isMentioned(m: Machine, { marker, at, end }: Exclude<MarkerMatch, { marker: undefined }>): Seen {
  const { kind } = marker;
  if (!(framing.has(kind) || marker.form?.calls) || m.candidate || m.again) return 'no';
  if (!m.start && placeOf(m).fresh) return 'no';
  const code = placeOf(m).ticks > 0 && placeOf(m).run === 0 ? closesCode(m, end) : 'no';
  if (code !== 'no') return code;
  if (closesText(m, marker) || isObject(m, marker)) return 'yes';
  if (endsSentence(m, marker) && endsMessage(m, at)) return m.ended ? 'yes' : 'wait';
  // Where it is shown, it only counts if the message ends with it.
  if (kind === 'end' && !m.ended && isShown(placeOf(m), true, m, marker.row.fences) && endsMessage(m, at))
    return 'wait';
  if (kind === 'thinkEnd' && !m.start) return placeOf(m).solid && aroundOf(placeOf(m)) ? 'yes' : callFollows(m, end);
  if (!m.start && placeOf(m).last.charCodeAt(0) > 32) return 'no';
  const rest = m.buffer.slice(end, end + 3);
  if (rest.length < 3 && kind === 'think' && m.start && !m.ended) return 'wait';
  if (rest.length < 2 && !m.ended) return /^[^ \t.,;:!?)\]|/\p{Pd}]/u.test(rest) ? 'no' : 'wait';
  if (kind === 'think' && m.start) return startsSentence(m, marker, end, rest);
  if (m.start && !m.named && (glued.test(rest) || explains.test(rest))) return 'yes';
  if ((m.named || kind === 'thinkEnd' ? goesOn : blank).test(rest) || compound.test(rest)) return 'yes';
  return !m.start && inSentence(placeOf(m)) && punctuation.test(rest) ? 'yes' : 'no';
}

/** Whether a reasoning tag at the start of a message is a word of its first sentence. */
function startsSentence(m: Machine, marker: Marker, end: number, rest: string): Seen {
  if (glued.test(rest) || (!m.named && marker.pattern.head.startsWith('[') && punctuation.test(rest))) return 'yes';
  if (goesOn.test(rest) || explains.test(rest)) return closesInLine(m, marker, end);
  const near = m.buffer.slice(end, end + longestPair);
  if (near.length < longestPair && !m.ended) return 'wait';
  const [inside = ''] = joins.exec(near) ?? [];
  for (const { head } of marker.closes ?? []) {
    if (head === '' || !head.startsWith(m.buffer.slice(end + inside.length, end + inside.length + head.length)))
      continue;
    const behind = m.buffer.slice(end + inside.length + head.length, end + inside.length + head.length + 2);
    if (behind.length < 2 && !m.ended) return 'wait';
    const isWord = /\p{L}/u.test(inside) && /^(?:\p{Pd}|(?!\p{Script=Latin})\p{L})/u.test(behind);
    return isWord || goesOn.test(behind) || compound.test(behind) || /^[.,;:!?)]/.test(behind) ? 'yes' : 'no';
  }
  return 'no';
}

/** Whether the open inline code ends in this line. */
function closesCode(m: Machine, end: number): Seen {
  const { buffer, ended } = m;
  const place = placeOf(m);
  const near = buffer.slice(end, end + longestLine);
  const [line = ''] = near.split('\n', 1);
  const runs = [...line.matchAll(/`+/g)];
  const whole = ended || line.length < near.length || near.length === longestLine;
  if (runs.some(([run], at) => run.length === place.ticks && (whole || at < runs.length - 1 || !line.endsWith('`'))))
    return 'yes';
  return whole ? 'no' : 'wait';
}

/** Words that a sentence doesn't end with, because they need an object. */
const incomplete =
  /^(?:is|are|was|be|as|with|by|to|of|and|or|an?|the|from|in|into|on|at|for|like|than|via|until|before|after|use|uses|used|using|emits?|prints?|writes?|outputs?|appends?|adds?|called|named|means|tokens?|ist|sind|mit|und|oder|durch|von|der|die|das|heißt|lautet|est|sont|avec|et|ou|par|le|la|de|es|son|con|y|o|por|el|è|e|di|да|это|и|или|с)$/iu;
const bullet = /\s*(?:[-*+•]|\d{1,3}[.)])\s+$/y;
const isEndToken = ({ kind, pattern: { head } }: Marker): boolean =>
  kind !== 'think' && head !== '' && onlyEnds.test(head);

/** Whether an end token is the object of words before it: after a label, a bullet, or a word that needs one. */
function isObject(m: Machine, marker: Marker): boolean {
  if (m.start || !isEndToken(marker) || (marker.kind === 'frameEnd' && m.frameFor === 'text')) return false;
  const { solid, last, lastSolid, before, line } = placeOf(m);
  if (!solid) return false;
  if (last.charCodeAt(0) > 32) return /[是为為即]/.test(last);
  return ':：='.includes(lastSolid) || incomplete.test(before) || begins(bullet, line);
}

/** The end of a sentence that isn't a question, which the token may answer, and what can close one: quotes, emphasis, emoji. */
const finished = /[.!…。！।։"'”’»」』`*_~}）】］\p{So}\p{Cs}]/u;

/** Whether an end token is the last word of a sentence: models write no space before it, except after the end of one. */
function endsSentence(m: Machine, marker: Marker): boolean {
  const { solid, last, lastSolid, line, lineEnd } = placeOf(m);
  if (m.start || !isEndToken(marker) || !solid || !blank.test(last)) return false;
  // A bracket that nothing opened belongs to the label of an option.
  return lastSolid === ')' || lastSolid === ']'
    ? !(lineEnd || line).includes(lastSolid === ')' ? '(' : '[')
    : !finished.test(lastSolid);
}

/** How much an end token at the end of a message, with others after it, can take. */
const longestEnd = 200;

/** Whether only end tokens follow so far, and what they end isn't open: neither code, a quotation nor another block. */
export function endsMessage(m: Machine, at: number): boolean {
  const near = m.buffer.slice(at, at + longestEnd);
  return near.length < longestEnd && (m.ended ? onlyEnds.test(near) : mayOnlyEnd(near)) && isOver(placeOf(m));
}

/** Whether it closes an element that the text contains, in this line or an earlier one. */
function closesText(m: Machine, { kind, pattern: { head }, row }: Marker): boolean {
  if ((kind !== 'noise' && kind !== 'end') || !head.startsWith('</')) return false;
  const opener = head.replace('</', '<');
  const { line, open } = placeOf(m);
  return (line.includes(opener) || open.includes(head)) && !row.drop?.includes(opener);
}

/** A reasoning closer without an opener is removed only before calls. */
function callFollows(m: Machine, end: number): Seen {
  let at = end;
  while (at < m.buffer.length && at - end < longestLine && m.buffer.charCodeAt(at) <= 32) at += 1;
  if (at === m.buffer.length) return !m.ended ? 'wait' : inSentence(placeOf(m)) ? 'yes' : 'no';
  let wait = false;
  for (const { kind, pattern } of markersAt(m.grammar.text, m.buffer, at)) {
    if ((kind !== 'call' && kind !== 'section' && kind !== 'think') || !partAt(pattern, m.buffer, at)) continue;
    if (isAt(pattern, m.buffer, at)) return 'no';
    wait = true;
  }
  return wait && !m.ended ? 'wait' : 'yes';
}

/** How much of what follows the end of reasoning decides what it is. */
const nearby = 60;

/**
 * Whether the end of reasoning that nothing opened follows calls, so that they are reasoning too: `dropped` if a call
 * follows it, and `last` if nothing follows the calls but this, so that the model forgot to end its reasoning before.
 */
export function endsThought(m: Machine, { marker, end }: MarkerMatch & { marker: Marker }): Seen | 'dropped' | 'last' {
  const { candidate: open, ended, first } = m;
  const place = placeOf(m);
  if (/^\w/.test(marker.pattern.head)) return 'no';
  const { ticks, straight, apostrophe, curly } = place;
  const apart = !open && !place.fresh;
  if (apart && place.solid && (ticks > 0 || straight || apostrophe || curly !== '')) return 'no';
  const near = m.buffer.slice(end, end + nearby);
  const isLast = near.length < nearby && onlyEnds.test(near);
  if (near.length < nearby && !ended) return 'wait';
  const follows = isLast ? 'yes' : callFollows(m, end);
  if (follows !== 'yes') return follows === 'no' ? 'dropped' : follows;
  if (apart) {
    // A word in a sentence.
    if (punctuation.test(near) && /^[ \t]*[\p{Ll}.,;:!?)]/u.test(near)) return 'no';
    if (inSentence(place) && (isLast || /^[ \t]*\S/.test(near))) return 'no';
  }
  const isAlone = open?.decided && m.waiting.length === 0 && (!first || first.from === open.from);
  return isLast && !apart && isAlone && !m.cut ? 'last' : 'yes';
}

const quotes = '`"\'“”„‘’«»「」『』';

/** Reasoning that is closed in its line, within a sentence. */
function closesInLine(m: Machine, { closes = [] }: Marker, from: number): Seen {
  const near = m.buffer.slice(from, from + longestLine);
  const [line = ''] = near.split('\n', 1);
  // A sentence that is the complete message mentions the tag, because nothing closes it.
  const alone =
    m.ended &&
    !m.cut &&
    near.length < longestLine &&
    line.length === near.length &&
    /^[^\p{L}]|[.!?]\s*$/u.test(line.trimStart());
  const over = m.ended || line.length < near.length || near.length === longestLine;
  for (const { head } of closes) {
    const at = head === '' ? -1 : line.indexOf(head);
    if (at < 0) continue;
    const rest = near.slice(at + head.length, at + head.length + 2);
    if (rest.length < 2 && !over) return 'wait';
    return isWord(line.slice(0, at), rest) ? 'yes' : 'no';
  }
  return alone ? 'yes' : over ? 'no' : 'wait';
}

/** Whether a tag is a word of a sentence, by the text before and after it. */
const isWord = (before: string, after: string): boolean =>
  goesOn.test(after) ||
  /^[.,;:!?)]/.test(after) ||
  (quotes.includes(before.at(-1) ?? ' ') && quotes.includes(after[0] ?? ' '));

/** Whether reasoning starts like a sentence, so that only its end shows whether its tags are words in one. */
export const maySpeak = (behind: string): boolean => goesOn.test(behind);

/** How much of what follows the closer of such reasoning decides. */
export const mentionReach = 24;
/** A sentence that continues for two words, unlike `yes.` and `sure, …`. */
const continues = /^[ \t]\p{Ll}+[ \t]+\p{L}/u;

/** Whether the closer of such reasoning is a word in a sentence, so that all of it is text. */
export const isMentionedEnd = (said: string, behind: string): boolean =>
  isWord(said, behind) && (!blank.test(behind) || (continues.test(behind) && !/[.!?…][ \t]*$/.test(said)));
