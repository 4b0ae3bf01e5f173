import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { ErrorType } from '../mend/outcome.ts';
import type { CallPart, FinishReason, Message, ResultPart, Usage } from '../model/index.ts';
import type { Effect, Repeat } from '../tools/tool.ts';
import type { Approval, Decision, RunEnded, RunStarted } from './events.ts';

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

/** How far a call has come. */
export type CallState =
  | 'pending'
  | 'approval_required'
  | 'approved'
  | 'executing'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'sealed';

/** One step of a call, for the audit trail. */
export interface CallStep {
  readonly state: CallState;
  readonly at: number;
  /** The event that said so. */
  readonly seq: number;
  readonly note?: string;
}

/** All that is known of one call, folded from the log. A failed one keeps its arguments as they were received. */
export interface CallRecord {
  readonly callId: string;
  readonly turn: number;
  /** The tool's own name, or what the model wrote where there is no such tool. */
  name: string;
  state: CallState;
  /** The call as the model wrote it. */
  readonly call: CallPart;
  /** The arguments it ran with, or was to run with. */
  input?: unknown;
  repairs: readonly Repair[];
  problems: readonly Problem[];
  error?: string;
  errorType?: ErrorType;
  recommendations?: readonly string[];
  result?: ResultPart;
  /** What a person was asked last. */
  approval?: Approval;
  /** What a person said about it. */
  decision?: Decision;
  /** The key its tool was started with, once it was. */
  key?: string;
  /** What its tool said of itself when it was started. */
  began?: { readonly effect: Effect; readonly repeat: Repeat };
  readonly audit: CallStep[];
}

/** So far behind stays text that is cleaned by a function of which nothing is known: what it takes out may be that long. */
const behind = 256;
const mostPlaces = 8;

/**
 * Where text that goes on can be cut so that a function finds the same in both pieces as in the whole: never inside what it
 * takes out, as long as that has no more than 256 characters.
 */
export const safeSplit =
  (clean: (text: string) => string) =>
  (text: string): number => {
    if (text.length <= behind) return 0;
    const whole = clean(text);
    let at = text.length - behind;
    for (let tries = 0; tries < mostPlaces && at > 0; tries += 1) {
      if (clean(text.slice(0, at)) + clean(text.slice(at)) === whole) return at;
      at = text.lastIndexOf(' ', at - 1);
    }
    return 0;
  };
