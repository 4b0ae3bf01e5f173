import { findMarker, type Marker, type MarkerMatch } from '../grammar/grammar.ts';
import { type MarkerSet, markerSetOf, markersAt, nextMarker } from '../grammar/marker-trie.ts';
import { endAt, isAt, type Pattern, partAt } from '../grammar/pattern.ts';
import { isMentionedEnd, mentionReach } from '../placement/mention.ts';
import { newPlace, type Place, TextBuilder } from '../placement/place.ts';
import { isDecided, isShown, startsLine } from '../placement/shown.ts';
import { passCall, placeOf } from '../placement/track-text.ts';
import { emitReasoning, emitText, flushThought, trackText } from './output.ts';
import type { Machine } from './state.ts';

export const contentLabel = 'Final Answer:';

/**
 * Reads reasoning up to its end. From a call's opener on it is buffered: if the block is closed later, it is reasoning,
 * otherwise a call.
 */
export function stepThink(m: Machine): boolean {
  const think = m.think as NonNullable<Machine['think']>;
  const end = endOf(m);
  const upTo = end?.at ?? m.buffer.length;
  const call = think.held === undefined ? callBefore(m, end) : undefined;
  if (call?.marker && (call.marker.kind === 'noise' || call.marker.kind === 'think')) {
    say(m, m.buffer.slice(m.at, call.at));
    m.at = call.end;
    return true;
  }
  if (call) {
    say(m, m.buffer.slice(m.at, call.at));
    m.at = call.at;
    if (!call.marker) return false;
    const place = think.place && placeOf(think.place);
    if (call.marker.row.callEndsThink && think.callEnds && isMade(m, call.marker, place)) {
      leave(m, call.at);
      return true;
    }
    think.held = '';
    think.marker = call.marker;
    think.passed = 0;
    m.thoughtAt = place;
    m.decided = !place || isDecided(place) || isGlued(place, call.marker);
    think.rest = undefined;
    return true;
  }
  const piece = m.buffer.slice(m.at, upTo);
  m.at = upTo;
  if (think.held === undefined) say(m, piece);
  else think.held += piece;
  if (!end) return false;
  if (end.end === undefined) return false;
  if (endsCall(m, think, end.at)) {
    think.held += m.buffer.slice(end.at, end.end);
    think.passed = think.held?.length ?? 0;
    m.at = end.end;
    return true;
  }
  if (think.label && !/^\w/.test(think.label.raw)) {
    const behind = m.buffer.slice(end.end, end.end + mentionReach);
    if (behind.length < mentionReach && !m.ended) return false;
    if (isMentionedEnd(think.label.said + (think.held ?? ''), behind)) {
      leaveMention(m, think.label, end.end);
      return true;
    }
  }
  // It may contain a call that the response lacks; it is emitted with the first words that follow.
  flushThought(m);
  emitLabelled(m);
  if (think.held) m.thought = think.held;
  m.answered ??= /(?:Final )?Answer:$/.exec(m.buffer.slice(end.at, end.end))?.[0];
  placeOf(m).answered ||= m.answered !== undefined;
  leave(m, end.end);
  return true;
}

/** Whether a call at the end of reasoning was made: it starts a line or follows a sentence, and isn't shown. */
const isMade = (m: Machine, { special, row }: Marker, place: Place | undefined): boolean =>
  !place || (!place.answered && (startsLine(place) || isDecided(place)) && !isShown(place, special, m, row.fences));

/** Special tokens directly after a word, unlike in a sentence. */
const isGlued = ({ last }: Place, { special }: Marker): boolean => special && /[\p{L}\p{N}]/u.test(last);

/** Whether the end of the reasoning ends the buffered call instead, which the same token does. */
const endsCall = (m: Machine, { held, marker, passed = 0 }: NonNullable<Machine['think']>, at: number): boolean =>
  !!held &&
  !!marker?.form?.closes.some((close) => isAt(close, m.buffer, at)) &&
  held.includes(marker.pattern.head, passed);

/** Emits reasoning, or buffers it if only its end shows that it is reasoning. */
function say(m: Machine, text: string): void {
  const label = m.think?.label;
  passThought(m, text);
  if (label) label.said += text;
  else emitReasoning(m, text);
}

/** Tracks the place in reasoning, where calls may occur as in text. */
export function passThought({ think, limit }: Machine, text: string): void {
  if (!think || think.frame) return;
  think.place ??= { tracked: newPlace(), untracked: new TextBuilder(), limit };
  trackText(think.place, text);
}

/** Emits a sentence about reasoning that starts with its tag. */
function leaveMention(m: Machine, { raw, said }: { readonly raw: string; readonly said: string }, to: number): void {
  const { held = '' } = m.think ?? {};
  m.think = undefined;
  m.mode = 'text';
  emitText(m, raw + said + held + m.buffer.slice(m.at, to));
  m.at = to;
}

/** Emits reasoning that words opened. */
export function emitLabelled(m: Machine): void {
  const label = m.think?.label;
  if (!m.think || !label) return;
  m.think.label = undefined;
  m.think.rest = undefined;
  emitReasoning(m, label.said);
}

function leave(m: Machine, at: number): void {
  emitLabelled(m);
  m.at = at;
  if (m.think?.frame) m.frameFor = 'none';
  m.think = undefined;
  m.reasoned = true;
  m.mode = 'text';
  m.space ??= '';
  passCall(placeOf(m));
}

/**
 * A call's opener before the end of the reasoning, or the start of one; removes noise on the way. If the closer is in
 * the middle of it, it is reasoning, because otherwise the result would depend on chunks.
 */
function callBefore(m: Machine, end: End | undefined): MarkerMatch | undefined {
  const framed = m.think?.frame === true;
  const text = end ? m.buffer.slice(0, end.at) : m.buffer;
  const found = findMarker(m.grammar.text, text, m.at, m.ended && !end, (marker) => counts(m, marker, framed));
  return found && (found.marker || end?.end === undefined) ? found : undefined;
}

/** What matters in reasoning: noise, a block opened twice, and a call unless a frame ends it. */
function counts(m: Machine, { kind, form, row }: Marker, framed: boolean): boolean {
  if (kind === 'noise' || kind === 'think') return true;
  if (framed || m.think?.over) return false;
  // A block that calls end has no closer, so a bare call counts too.
  const bare = form?.bare && !(m.think?.callEnds && row.callEndsThink && (m.toolbox || m.named));
  return (kind === 'call' && !bare) || kind === 'section';
}

/** A closer: complete with its end, or partial. */
interface End {
  readonly at: number;
  readonly end?: number;
}

/** The first closer from here on; cached. */
function endOf(m: Machine): End | undefined {
  const think = m.think as NonNullable<Machine['think']>;
  const { seen } = think;
  const isSame = seen?.text === m.buffer && seen.ended === m.ended;
  if (isSame && (!seen.end || seen.end.at >= m.at)) return seen.end;
  const end = firstOf(think.closes, m.buffer, m.at, m.ended);
  think.seen = { text: m.buffer, ended: m.ended, end };
  return end;
}

const sets = new WeakMap<readonly Pattern[], MarkerSet<{ readonly pattern: Pattern }>>();

function setOf(closes: readonly Pattern[]): MarkerSet<{ readonly pattern: Pattern }> {
  const set = sets.get(closes) ?? markerSetOf(closes.map((pattern) => ({ pattern })));
  sets.set(closes, set);
  return set;
}

function firstOf(closes: readonly Pattern[], text: string, from: number, ended: boolean): End | undefined {
  const set = setOf(closes);
  for (let at = nextMarker(set, text, from); at < text.length; at = nextMarker(set, text, at + 1)) {
    for (const { pattern } of markersAt(set, text, at)) {
      if (!partAt(pattern, text, at)) continue;
      const end = endAt(pattern, text, at);
      if (end >= 0) return { at, end };
      if (!ended) return { at };
    }
  }
  return undefined;
}
