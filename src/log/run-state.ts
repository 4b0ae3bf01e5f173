import type { FinishReason, Message, Usage } from '../turn/turn.ts';
import type { CallRecord } from './call-record.ts';
import type { RunEnded, RunStarted } from './event.ts';

/** A message, or the place where the results of one answer's calls will stand. */
export type HistoryEntry =
  | { readonly type: 'message'; message: Message }
  | { readonly type: 'results'; readonly callIds: readonly string[] };

/** What a run is now. Folded from its events and from nothing else. */
export interface RunState {
  run: string;
  /** The number of the last event. */
  seq: number;
  started?: RunStarted;
  ended?: RunEnded;
  /** How often the model was asked. */
  turn: number;
  /** How its last answer ended. */
  finish?: FinishReason;
  /** The model was asked and has not answered. */
  asking: boolean;
  readonly history: HistoryEntry[];
  readonly calls: Map<string, CallRecord>;
  /** What `always` has settled in this run: rules, each for one definition of a tool. */
  readonly always: Set<string>;
  usage: Usage;
}

/** A run of which nothing is known yet. */
export const newRunState = (run = ''): RunState => ({
  run,
  seq: 0,
  turn: 0,
  asking: false,
  history: [],
  calls: new Map(),
  always: new Set(),
  usage: {},
});
