import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import { checkArgument } from '../json/value.ts';
import type { ErrorType } from '../mend/outcome.ts';
import type { CallPart, FinishReason, Message, ResultPart, Usage } from '../model/index.ts';
import type { JsonSchema } from '../schema/types.ts';
import type { Effect, Repeat } from '../tools/tool.ts';
import type { AgentIdentity, Approval, Decision, ResultReceived, RunEnded, RunFailure, RunStarted } from './events.ts';

/** A message, or a placeholder for the results of one message's calls. */
export type HistoryEntry =
  | { readonly type: 'message'; message: Message }
  | { readonly type: 'results'; readonly callIds: readonly string[] };

/** The state of a run, folded from its events. */
export interface RunState {
  run: string;
  /** Sequence number of the last event. */
  seq: number;
  started?: RunStarted;
  /** The agent that last started or resumed the run, if recorded. */
  agent?: AgentIdentity;
  ended?: RunEnded;
  /** Sequence number of the last end that was no pause. */
  lastEnd?: number;
  /** Number of model turns. */
  turn: number;
  /** Finish reason of the last response. */
  finish?: FinishReason;
  /** Whether a response is pending. */
  asking: boolean;
  readonly history: HistoryEntry[];
  readonly calls: Map<string, CallRecord>;
  /** `always` decisions of this run, by rule and definition. */
  readonly always: Set<string>;
  usage: Usage;
  /** What the responses cost, if it is known. */
  cost?: number;
  /** Last states of tools with `snapshot`, by name. */
  snapshots?: Record<string, unknown>;
  /** Names of the tools of the last turn, if `prepareStep` selected them. */
  activeTools?: readonly string[];
  /** Ids of commands from other processes whose messages and decisions are recorded. */
  readonly commands: Set<string>;
  /** Failed attempts since the run last rested or was queued again. */
  readonly attempts: FailedAttempts;
}

/** Failed attempts to run, counted from the log. */
export interface FailedAttempts {
  failed: number;
  /** Those since a tool last finished. */
  withoutProgress: number;
  /** The last errors, oldest first. */
  errors: readonly RunFailure[];
}

/** Initial state of a run. */
export function newRunState(run = ''): RunState {
  checkArgument(typeof run === 'string', 'run', 'the id of a run', run);
  return {
    run,
    seq: 0,
    turn: 0,
    asking: false,
    history: [],
    calls: new Map(),
    always: new Set(),
    usage: {},
    commands: new Set(),
    attempts: { failed: 0, withoutProgress: 0, errors: [] },
  };
}

/** State of a call. */
export type CallState =
  | 'pending'
  | 'approval_required'
  | 'approved'
  | 'executing'
  | 'result_required'
  | 'completed'
  | 'failed'
  | 'denied'
  | 'settled';

/** One step of a call in the audit trail. */
export interface CallStep {
  readonly state: CallState;
  readonly at: number;
  /** Sequence number of the event. */
  readonly seq: number;
  readonly note?: string;
}

/** Everything known about a call, folded from the log. A failed one keeps its arguments as received. */
export interface CallRecord {
  readonly callId: string;
  readonly turn: number;
  /** The tool's own name, or the name as written if there is no such tool. */
  name: string;
  state: CallState;
  /** The call as written by the model. */
  readonly call: CallPart;
  /** The arguments it ran with, or would run with. Those of a refused call have the schema's types where they fit. */
  input?: unknown;
  repairs: readonly Repair[];
  problems: readonly Problem[];
  error?: string;
  errorType?: ErrorType;
  recommendations?: readonly string[];
  result?: ResultPart;
  /** The last approval request. */
  approval?: Approval;
  /** The decision about it. */
  decision?: Decision;
  /** What of these the log doesn't have as it was, because of a secret. */
  redacted?: { readonly call?: true; readonly approval?: true; readonly decision?: true; readonly result?: true };
  /** Its idempotency key, once the tool has started. */
  key?: string;
  /** What it used of a model, such as that of a child run, and what that cost. */
  usage?: Usage;
  cost?: number;
  /** Effect and repeatability of its tool when it started, and the id of the child run that it started. */
  began?: { readonly effect: Effect; readonly repeat: Repeat; readonly repeatable?: true; readonly child?: string };
  /** What it waits for, if its result comes from outside. */
  waiting?: WaitingResult;
  /** The result that arrived from outside, until the run continues. */
  received?: Pick<ResultReceived, 'value' | 'isContent' | 'redacted'>;
  readonly audit: CallStep[];
}

/** A result that a call waits for. */
export interface WaitingResult {
  /** The key that the tool returned with `pending()`. */
  readonly key?: string;
  /** When the call started to wait. */
  readonly since: number;
  /** How long the call may wait, in milliseconds, and when it fails if no result has arrived. */
  readonly timeout?: number;
  readonly expiresAt?: number;
  /** Schema of the result. */
  readonly schema?: JsonSchema;
  /** Whether identical calls of its tool are normal. */
  readonly repeatable?: true;
}

/** Text held back for an unknown redaction function, which may redact up to this many characters. */
const behind = 256;
const mostPlaces = 8;

/**
 * Finds an offset at which streamed text can be split so that redacting the pieces equals redacting the whole. Holds
 * for redactions of up to 256 characters.
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
