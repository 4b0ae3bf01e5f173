import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { ErrorType } from '../mend/outcome.ts';
import type {
  CallPart,
  IgnoredCall,
  Message,
  ResultPart,
  ToolSpec,
  TurnError,
  TurnResponse,
  Usage,
  UserMessage,
} from '../model/index.ts';
import type { JsonSchema } from '../schema/types.ts';
import type { Effect, Progress, Repeat } from '../tools/tool.ts';

/** The agent of a run. */
export interface AgentIdentity {
  readonly name: string;
  /** Hash of its model, its instructions and its tool definitions. */
  readonly fingerprint: string;
}

/**
 * Which runs an agent continues if it has changed since: `same` none, `compatible` those whose tools it still has with
 * the same input schemas, `any` all.
 */
export type ResumePolicy = 'same' | 'compatible' | 'any';

/** A run started, possibly as a fork. */
export interface RunStarted {
  readonly type: 'run.started';
  readonly model: { readonly name: string; readonly provider: string };
  readonly instructions?: string;
  readonly tools: readonly string[];
  /** Tool definitions as sent to the model, if recorded; not necessarily all of them. */
  readonly specs?: readonly ToolSpec[];
  /** The run that this one was forked from, and the last event they share. */
  readonly from?: { readonly run: string; readonly seq: number };
  /** The call of another run that started this one. */
  readonly parent?: {
    readonly run: string;
    readonly callId: string;
    /** Number of runs above it. */
    readonly depth?: number;
  };
  /** Whether the run is queued for workers. Also used to find runs missing from the queue. */
  readonly queued?: true;
  /** The agent that the run belongs to. */
  readonly agent?: AgentIdentity;
  /** Data for tools, hooks and permissions, such as the tenant and the user. */
  readonly context?: unknown;
  /** The conversation before the run. Its calls have results, and are not part of the run. */
  readonly history?: readonly Message[];
}

/** A run was resumed after its process ended. */
export interface RunResumed {
  readonly type: 'run.resumed';
  /** The agent, if it has changed since the last event that names it. */
  readonly agent?: AgentIdentity;
  /** The policy that allowed the changed agent to continue. */
  readonly policy?: ResumePolicy;
}

/** An error with its own name, as recorded. */
export interface RunFailure {
  /** The name of the error, such as `TypeError`, or of its cause, such as `heartbeat_timeout`. */
  readonly name: string;
  readonly message: string;
}

/** An attempt to run it failed: its worker died, or an error stopped it. Recorded by the worker that retries it. */
export interface AttemptFailed {
  readonly type: 'attempt.failed';
  /** Number of failed attempts since the run last rested. */
  readonly attempt: number;
  readonly error: RunFailure;
}

/** The loop ended; another message resumes it. */
export interface RunEnded {
  readonly type: 'run.ended';
  readonly end: RunEnd;
  /** Explanation for the user. */
  readonly message: string;
  /** The last errors of a run that ended as `error` or `dead`, oldest first. */
  readonly errors?: readonly RunFailure[];
  /** Milliseconds spent in our own code, if measured. */
  readonly own?: number;
  /** When the first time limit of a call that waits for its result is over. */
  readonly wakeAt?: number;
  /** Id of the call that ended the run, if its tool has `endsRun`. */
  readonly finalCall?: string;
}

/** A user message was added. */
export interface MessageAdded {
  readonly type: 'message.added';
  readonly message: UserMessage;
  /** Id of the command that sent it from another process. */
  readonly command?: string;
}

/** A request was sent to the model. */
export interface TurnRequested {
  readonly type: 'turn.requested';
  readonly turn: number;
  /** The model, if `prepareStep` chose another one. */
  readonly model?: { readonly name: string; readonly provider: string };
  /** Names of the tools, if `prepareStep` selected them. */
  readonly tools?: readonly string[];
}

/** The model responded. */
export interface TurnCompleted {
  readonly type: 'turn.completed';
  readonly turn: number;
  readonly response: TurnResponse;
  /** What it cost, if the agent has `prices`. */
  readonly cost?: number;
  /** Ids of the calls whose arguments had a secret, so that they are not stored as they were. */
  readonly redacted?: readonly string[];
}

/** The model failed or broke off. `response` is what arrived until then; it is not part of the history. */
export interface TurnFailure {
  readonly type: 'turn.failed';
  readonly turn: number;
  readonly error: TurnError;
  readonly response: TurnResponse;
  /** What it cost, if the agent has `prices`. */
  readonly cost?: number;
}

/** A call without a usable name, or one that was sent twice, was ignored. */
export interface CallOmitted {
  readonly type: 'call.ignored';
  readonly turn: number;
  readonly call: IgnoredCall;
}

/** A checked call. */
interface Judged {
  readonly callId: string;
  /** The call as written by the model. */
  readonly call: CallPart;
  /** The tool's own name if it was found, otherwise the name as written. */
  readonly name: string;
  readonly input: unknown;
  readonly repairs: readonly Repair[];
}

/** A call can run as written. */
export interface CallAccepted extends Judged {
  readonly type: 'call.accepted';
}

/** A call can run after repairs. */
export interface CallMended extends Judged {
  readonly type: 'call.mended';
  readonly note?: string;
}

/** A call must not run. `result` is the feedback for the model. */
export interface CallRefused extends Judged {
  readonly type: 'call.refused';
  readonly errorType: ErrorType;
  readonly problems: readonly Problem[];
  readonly recommendations: readonly string[];
  /** Number of the failed attempt on this tool. */
  readonly attempt: number;
  readonly result: ResultPart;
}

/** A call needs approval. */
export interface ApprovalRequested {
  readonly type: 'approval.requested';
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly effect: Effect;
  /** Why approval is needed. */
  readonly reason: string;
  /** The rule that requires approval, which an `always` decision covers. */
  readonly rule?: string;
  /** Hash of the tool's name, description, schema and effect. A decision applies to this definition only. */
  readonly fingerprint?: string;
  /** Problems of the previous edit, if approval is requested again because of it. */
  readonly problems?: readonly Problem[];
  /** Whether the input had a secret, so that it is not stored as it was. */
  readonly redacted?: true;
}

/** A call was approved, denied or edited. */
export interface ApprovalDecided {
  readonly type: 'approval.decided';
  readonly callId: string;
  readonly decision: Decision;
  /** Id of the command that decided it from another process. */
  readonly command?: string;
  /** Whether the edited input had a secret, so that it is not stored as it was. */
  readonly redacted?: true;
}

/** A rule or a person denied a call. `result` is for the model. */
export interface CallDenied {
  readonly type: 'call.denied';
  readonly callId: string;
  readonly name: string;
  readonly reason: string;
  readonly result: ResultPart;
}

/** A tool is about to run. Stored before it does. */
export interface ToolStarted {
  readonly type: 'tool.started';
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** Idempotency key, the same each time the call runs. */
  readonly key: string;
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** Whether identical calls are normal, as for a tool that polls. */
  readonly repeatable?: true;
  /** Id of the child run that the call starts. */
  readonly child?: string;
}

/** A call waits for its result from outside, such as a client, a webhook or a person. */
export interface ResultRequested {
  readonly type: 'result.requested';
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** The key that the tool returned with `pending()`. */
  readonly key?: string;
  /** How long the call may wait, in milliseconds, and when it fails if no result has arrived. */
  readonly timeout?: number;
  readonly expiresAt?: number;
  /** Schema of the result. */
  readonly schema?: JsonSchema;
  /** Whether identical calls are normal, as for a tool that polls. */
  readonly repeatable?: true;
  /** What the call has used of a model until now, such as that of a child run, and what it cost. */
  readonly usage?: Usage;
  readonly cost?: number;
}

/** The result of a waiting call arrived. `tool.finished` follows when the run continues. */
export interface ResultReceived {
  readonly type: 'result.received';
  readonly callId: string;
  /** The result; missing if the tool has no output. */
  readonly value?: unknown;
  /** Whether `value` consists of content parts, as from `toolOutput()`. */
  readonly isContent?: true;
  /** Whether a secret in it was redacted, so that it may not match the output schema any more. */
  readonly redacted?: true;
  /** Set if the result isn't here yet, but the tool can continue, such as an agent whose call was approved. */
  readonly again?: true;
}

/** A tool finished, successfully or not. `result` is for the model. Stored before it is published. */
export interface ToolFinished {
  readonly type: 'tool.finished';
  readonly callId: string;
  readonly name: string;
  readonly ok: boolean;
  readonly errorType?: ErrorType;
  /** The tool's error message. */
  readonly error?: string;
  readonly recommendations?: readonly string[];
  readonly result: ResultPart;
  /** Duration in milliseconds. */
  readonly ms: number;
  /** The tool's state after the call, if the tool has `snapshot`. */
  readonly snapshot?: unknown;
  /** Whether the result had a secret, so that it is not stored as it was. */
  readonly redacted?: true;
  /** What the call used of a model, such as that of a child run. */
  readonly usage?: Usage;
  /** What it cost, if known. */
  readonly cost?: number;
}

/** An abandoned tool finished after all. The model isn't informed. */
export interface ToolOrphaned {
  readonly type: 'tool.orphaned';
  readonly callId: string;
  readonly name: string;
  /** Its result, shortened. */
  readonly outcome: string;
}

/** A call got a result without running to its end, because its process ended or its run was stopped. */
export interface CallSettled {
  readonly type: 'call.settled';
  readonly callId: string;
  readonly name: string;
  /** Its state before that. `unknown` means that the tool may have had its effect. */
  readonly was: 'pending' | 'approval_required' | 'approved' | 'result_required' | 'unknown';
  readonly result: ResultPart;
  /** What the child run of the call has used. */
  readonly usage?: Usage;
  readonly cost?: number;
}

/** A fact in the log of a run. The state of a run is folded from these alone. */
export type RunFact =
  | RunStarted
  | RunResumed
  | AttemptFailed
  | RunEnded
  | MessageAdded
  | TurnRequested
  | TurnCompleted
  | TurnFailure
  | CallOmitted
  | CallAccepted
  | CallMended
  | CallRefused
  | ApprovalRequested
  | ApprovalDecided
  | CallDenied
  | ToolStarted
  | ResultRequested
  | ResultReceived
  | ToolFinished
  | ToolOrphaned
  | CallSettled;

/** A fact with its run, sequence number and time. */
export type RunEvent<F extends RunFact = RunFact> = F & {
  readonly run: string;
  /** 1, 2, 3 …, without gaps or duplicates. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Streamed text, arguments and progress. Not stored. */
export type LiveEvent =
  | { readonly type: 'text.delta'; readonly run: string; readonly turn: number; readonly text: string }
  | { readonly type: 'reasoning.delta'; readonly run: string; readonly turn: number; readonly text: string }
  | {
      readonly type: 'call.started';
      readonly run: string;
      readonly turn: number;
      readonly callId: string;
      readonly name: string;
    }
  | {
      readonly type: 'call.delta';
      readonly run: string;
      readonly turn: number;
      readonly callId: string;
      /** The next piece of the arguments. */
      readonly text: string;
    }
  /** The log can't be written, so not even the end is recorded. */
  | { readonly type: 'run.halted'; readonly run: string; readonly message: string }
  | {
      readonly type: 'tool.progressed';
      readonly run: string;
      readonly callId: string;
      readonly progress: Progress;
    };

/** A decision about a call. */
export type Decision =
  /** Allow the call. `always` also allows later calls of its tool that need approval by the same rule, in this run. */
  | { readonly type: 'allow'; readonly always?: boolean; readonly by?: string }
  /** Deny the call. The model gets the reason. */
  | { readonly type: 'deny'; readonly reason?: string; readonly by?: string }
  /** Run the call with exactly these arguments, which are validated first. */
  | { readonly type: 'edit'; readonly input: unknown; readonly by?: string };

/** The call that approval was requested for. A decision applies to exactly these arguments and this definition. */
export interface Approval {
  readonly name: string;
  readonly input: unknown;
  /** The rule that requires approval. */
  readonly rule?: string;
  /** Why approval is needed. */
  readonly reason?: string;
  /** Hash of the tool's definition. Old logs have none. */
  readonly fingerprint?: string;
}

/** Key of an `always` decision: one rule for one definition of a tool. */
export const alwaysKey = (rule: string, fingerprint: string): string => JSON.stringify([rule, fingerprint]);

/** All reasons why a loop ends, with a description. */
export const runEnds = {
  done: 'The model responded without a tool call',
  refused: 'The model declined to respond',
  filtered: 'The provider filtered the response',
  length: 'The response reached the token limit before it was complete',
  empty: 'The model kept sending empty responses',
  invalid_calls: 'The model made no valid call within the allowed turns',
  repeated_calls: 'The model kept making the same call',
  steps: 'The run used all its turns',
  tokens: 'The run used all its tokens',
  time: 'The run used all its time',
  model: 'The model could not be reached, or failed',
  awaiting_approval: 'A call is waiting for approval',
  awaiting_result: 'A call is waiting for its result',
  aborted: 'The run was stopped',
  stopped: 'A stop condition was met',
  storage: 'The log could not be written, so the run stopped',
  error: 'An error in the program stopped the run',
  dead: 'The run failed too often, so workers no longer retry it',
} as const;

/** Why a loop ended. */
export type RunEnd = keyof typeof runEnds;

/** Ends of a run that is only paused: an approval or a result continues it, and its counts go on. */
export const pausedEnds: ReadonlySet<string | undefined> = new Set<RunEnd>(['awaiting_approval', 'awaiting_result']);
