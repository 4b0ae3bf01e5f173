import type { ErrorType } from '../call/outcome.ts';
import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { Effect, Repeat } from '../tool/tool.ts';
import type { CallPart, ResultPart } from '../turn/turn.ts';
import type { Approval, Decision } from './decision.ts';

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
