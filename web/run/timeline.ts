import type { AttemptFailed, RunEnded, RunEvent, RunStarted, TurnFailure } from '../../src/log/events.ts';
import type { AssistantPart, IgnoredCall, Part } from '../../src/model/index.ts';
import { type CallStory, slots } from './call-story.ts';

/** A part of a response, or a call. */
export type Piece =
  | { readonly type: 'part'; readonly part: AssistantPart }
  | { readonly type: 'call'; readonly story: CallStory };

/** An entry of the timeline. */
export type Entry =
  | { readonly type: 'started'; readonly event: RunEvent<RunStarted> }
  | { readonly type: 'resumed'; readonly event: RunEvent }
  | { readonly type: 'attempt'; readonly event: RunEvent<AttemptFailed> }
  | { readonly type: 'said'; readonly event: RunEvent; readonly parts: readonly Part[] }
  | {
      readonly type: 'turn';
      readonly turn: number;
      readonly event: RunEvent;
      readonly pieces: Piece[];
      readonly ignored: IgnoredCall[];
      /** Duration of the response. */
      ms?: number;
      answered: boolean;
      finish?: string;
      failed?: RunEvent<TurnFailure>;
    }
  | { readonly type: 'ended'; readonly event: RunEvent<RunEnded> };

export type TurnEntry = Extract<Entry, { type: 'turn' }>;

/** A run's entries in order, and its calls by id. */
export interface Timeline {
  readonly entries: readonly Entry[];
  readonly calls: ReadonlyMap<string, CallStory>;
  /** Whether the last event is an end. */
  readonly over: boolean;
}

/** Builds the timeline of a run. Events that are out of order or without a turn get one, so that nothing is hidden. */
export function timelineOf(events: readonly RunEvent[]): Timeline {
  const entries: Entry[] = [];
  const calls = new Map<string, CallStory>();
  let turn: TurnEntry | undefined;
  const turnFor = (event: RunEvent, number = 0): TurnEntry => {
    if (turn && (number === 0 || turn.turn === number)) return turn;
    turn = { type: 'turn', turn: number, event, pieces: [], ignored: [], answered: false };
    entries.push(turn);
    return turn;
  };
  const storyOf = (event: RunEvent, callId: string): CallStory => {
    const known = calls.get(callId);
    if (known) return known;
    const { pieces, turn } = turnFor(event);
    const story: CallStory = { callId, turn };
    calls.set(callId, story);
    pieces.push({ type: 'call', story });
    return story;
  };
  const answer = (entry: TurnEntry, event: RunEvent, parts: readonly AssistantPart[]) => {
    entry.ms = event.at - entry.event.at;
    for (const part of parts) {
      if (part?.type === 'call') storyOf(event, part.id).call = part;
      else entry.pieces.push({ type: 'part', part });
    }
  };
  for (const event of events) {
    const slot = slots[event.type];
    if (slot && 'callId' in event) {
      const story = storyOf(event, event.callId);
      Object.assign(story, { [slot]: event });
      // A new request discards the previous decision.
      if (slot === 'asked') delete story.given;
      // The checked call is as the model wrote it; the response may contain it mended.
      if ('call' in event && slot === 'judged') story.call = event.call;
    } else if (event.type === 'run.started') entries.push({ type: 'started', event });
    else if (event.type === 'run.resumed') entries.push({ type: 'resumed', event });
    else if (event.type === 'attempt.failed') entries.push({ type: 'attempt', event });
    else if (event.type === 'message.added') entries.push({ type: 'said', event, parts: event.message?.parts ?? [] });
    else if (event.type === 'turn.requested') turnFor(event, event.turn);
    else if (event.type === 'turn.completed') {
      const entry = turnFor(event, event.turn);
      entry.answered = true;
      entry.finish = event.response.finish;
      answer(entry, event, event.response.message.parts);
    } else if (event.type === 'turn.failed') {
      const entry = turnFor(event, event.turn);
      entry.failed = event;
      answer(entry, event, event.response.message.parts);
    } else if (event.type === 'call.ignored') turnFor(event, event.turn).ignored.push(event.call);
    else if (event.type === 'run.ended') entries.push({ type: 'ended', event });
  }
  return { entries, calls, over: entries.at(-1)?.type === 'ended' };
}
