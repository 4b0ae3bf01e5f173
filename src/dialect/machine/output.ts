import type { Problem } from '../../json/problem.ts';
import type { Repair } from '../../json/repair.ts';
import type { Outcome } from '../../mend/outcome.ts';
import { type ListFault, listProblems, missingCloser, missingComma } from '../call/call-notes.ts';
import { recheckCall, truncatedCall } from '../call/check-call.ts';
import { placeOf, type Tracked } from '../placement/track-text.ts';
import type { CallEvent } from '../types.ts';
import type { Machine } from './state.ts';

/** Emits text for the user. */
export function emitText(m: Machine, text: string): void {
  if (!text) return;
  if ((m.start || m.thought !== undefined) && /\S/.test(text)) {
    m.start = false;
    flushThought(m);
  }
  trackText(m, text);
  output(m, text);
}

/**
 * Adds text. It is tracked when its place matters, which is where something may be a call: tracking a text costs many times as
 * much as finding out that it has no marker. Beyond the limit it is tracked anyway, so that it needn't be kept.
 */
export function trackText(m: Tracked, text: string): void {
  m.untracked.add(text);
  if (m.untracked.length > m.limit) placeOf(m);
}

/** Adds text to a candidate. */
export function addText(m: Machine, text: string): void {
  if (!text) return;
  if (m.candidate && !m.candidate.confirmed) m.candidate.events.push({ type: 'text', text });
  else output(m, text);
}

/**
 * Emits text, or queues it after what is pending. White space around calls and reasoning is kept only between texts.
 */
export function output(m: Machine, text: string): void {
  if (!text) return;
  m.followed ||= /\S/.test(text);
  noteText(m, text);
  if (m.waiting.length > 0) {
    m.waiting.push({ text });
    m.waits += text.length;
    return;
  }
  let more = text;
  if (m.space !== undefined) {
    const from = more.search(/\S/);
    if (from < 0) {
      m.space += more;
      return;
    }
    const gap = m.space + more.slice(0, from);
    more = m.spoke ? m.space + more : (codeIndent.exec(gap)?.[0] ?? '') + more.slice(from);
    m.space = undefined;
  }
  m.spoke ||= /\S/.test(more);
  say(m, 'text', more);
}

/** The indentation that makes a line code, which the text keeps. */
const codeIndent = /(?:(?<![^\n]) {4}|(?<![^\n]) {0,3}\t)[ \t]*$/;

/** Keeps the start of the text after a call, or before the first, which shows whether it is a result. */
export function noteText(m: Machine, text: string): void {
  if ((m.counted || m.count === 0) && m.said.length < mostSaid) m.said += text.slice(0, mostSaid);
}

const mostSaid = 200;

/** Where events go that are certain: after a pending call, they wait too. */
export const pendingEvents = ({ batch, events }: Machine): CallEvent[] =>
  batch?.events.length ? batch.events : events;

/** Emits reasoning. */
export function emitReasoning(m: Machine, text: string): void {
  if (!text) return;
  if (m.waiting.length > 0) {
    m.waiting.push({ reasoning: text });
    m.waits += text.length;
  } else say(m, 'reasoning', text);
}

/** Emits reasoning that ends with a possible call when anything else follows. */
export function flushThought(m: Machine): void {
  const { thought } = m;
  m.thought = undefined;
  if (thought) emitReasoning(m, thought);
}

function say(m: Machine, type: 'text' | 'reasoning', text: string): void {
  const events = pendingEvents(m);
  const last = events.at(-1);
  if (last?.type === type) events[events.length - 1] = { type, text: last.text + text };
  else putEvent(m, { type, text });
}

/** Adds an event to the next result. Most results have one, which is optimized. */
export function putEvent(m: Machine, event: CallEvent): void {
  if (m.batch?.events.length) m.batch.events.push(event);
  else if (m.events.length === 0) m.events = [event];
  else m.events.push(event);
}

/** Adds an event of a call, to its candidate while that may be text. */
export function addEvent(m: Machine, event: CallEvent): void {
  if (m.candidate && !m.candidate.confirmed) m.candidate.events.push(event);
  else putEvent(m, event);
}

const besideOthers: Problem = {
  path: [],
  code: 'syntax',
  message: 'Root object is next to text that is not a call; send only calls between the markers',
};

/** Pending calls, and the events that contain them. */
interface Held {
  readonly outcomes: Outcome[];
  readonly events: CallEvent[];
}

/** Checks calls again with more information, and replaces them among the pending ones. Returns the new results. */
export function recheck(
  { toolbox }: Machine,
  { outcomes, events }: Held,
  more: (outcome: Outcome) => Parameters<typeof recheckCall>[1],
  calls: readonly Outcome[] = outcomes,
): ReadonlyMap<Outcome, Outcome> {
  const made = new Map(calls.map((one) => [one, recheckCall(one, more(one), toolbox)]));
  for (const [at, one] of outcomes.entries()) outcomes[at] = made.get(one) ?? one;
  for (const [at, event] of events.entries()) events[at] = withResult(event, made);
  return made;
}

/** An event with the new result of its call. */
export const withResult = (event: CallEvent, made: ReadonlyMap<Outcome, Outcome>): CallEvent =>
  event.type === 'call.finished' ? { ...event, outcome: made.get(event.outcome) ?? event.outcome } : event;

/** Ends a list of calls that isn't closed. After a comma, the next one is lost. */
export const leaveList = (m: Machine, count: number, lost: boolean): void =>
  recheckList(m, count, lost ? truncatedCall : missingCloser(']'));

/** Ends a list of calls. A problem between them applies to all, because it is unknown which of them it concerns. */
export function faultList(m: Machine, count: number, fault: ListFault | undefined): void {
  if (fault) recheckList(m, count, fault === 'parted' ? missingComma : listProblems[fault]);
}

/** Adds a problem or a repair to the last calls. */
function recheckList(m: Machine, count: number, note: Problem | Repair): void {
  const held = m.candidate && !m.candidate.confirmed ? m.candidate : m.batch;
  if (!held || count === 0) return;
  const more = ({ raw: { read = [] } }: Outcome) => ('kind' in note ? { read: [...read, note] } : { found: [note] });
  // Only the last events are theirs. All of them would be read again for each list.
  let from = held.events.length;
  for (let left = count; left > 0 && from > 0; ) if (held.events[--from]?.type === 'call.finished') left -= 1;
  const last = { outcomes: held.outcomes.splice(-count), events: held.events.splice(from) };
  recheck(m, last, more);
  for (const outcome of last.outcomes) held.outcomes.push(outcome);
  for (const event of last.events) held.events.push(event);
}

/** Ends the markers: emits their calls, or none if there is anything else between them. */
export function endBatch(m: Machine): void {
  const { batch, candidate } = m;
  m.batch = undefined;
  if (!batch) return;
  const { foreign, stray } = batch;
  const judge = ({ raw: { read = [] } }: Outcome) =>
    foreign ? { found: [besideOthers] } : { read: stray ? [...read, stray] : read };
  const changed = foreign || stray !== undefined;
  if (changed) recheck(m, batch, judge);
  for (const event of batch.events) putEvent(m, event);
  m.calls.push(...batch.outcomes);
  if (!changed || !candidate || candidate.confirmed) return;
  if (foreign && !m.named) candidate.data = true;
  else recheck(m, candidate, judge);
}
