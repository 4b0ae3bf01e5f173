import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { ErrorType } from '../mend/outcome.ts';
import type {
  CallPart,
  DroppedCall,
  ResultPart,
  ToolSpec,
  TurnError,
  TurnResponse,
  UserMessage,
} from '../model/index.ts';
import type { Effect, Progress, Repeat } from '../tools/tool.ts';

/** A run began, anew or as a fork of another. */
export interface RunStarted {
  readonly type: 'run.started';
  readonly model: { readonly name: string; readonly provider: string };
  readonly instructions?: string;
  readonly tools: readonly string[];
  /** What the model was told of tools, where that is kept: of those that matter here, not always of all. */
  readonly specs?: readonly ToolSpec[];
  /** The run this one was forked from, and the last event it shares with it. */
  readonly from?: { readonly run: string; readonly seq: number };
  /** It was left to workers: any of them may take it, and one that nobody works on is found by this. */
  readonly queued?: true;
}

/** A run was taken up again after its process had ended. */
export interface RunResumed {
  readonly type: 'run.resumed';
}

/** The loop ended, and why; a further message takes it up again. */
export interface RunEnded {
  readonly type: 'run.ended';
  readonly end: RunEnd;
  /** What a person should know about it. */
  readonly message: string;
  /** How much of its time was our own work, in milliseconds, where somebody measured it. */
  readonly own?: number;
}

/** Somebody said something: the question, or a word in the middle of the work. */
export interface MessageAdded {
  readonly type: 'message.added';
  readonly message: UserMessage;
}

/** The model was asked. */
export interface TurnRequested {
  readonly type: 'turn.requested';
  readonly turn: number;
}

/** The model answered. */
export interface TurnCompleted {
  readonly type: 'turn.completed';
  readonly turn: number;
  readonly response: TurnResponse;
}

/** The model did not answer, or broke off; `response` is what came until then, and no part of the history. */
export interface TurnBroken {
  readonly type: 'turn.broken';
  readonly turn: number;
  readonly error: TurnError;
  readonly response: TurnResponse;
}

/** A call that named nothing was left out. */
export interface CallOmitted {
  readonly type: 'call.dropped';
  readonly turn: number;
  readonly call: DroppedCall;
}

/** What is known of a call when it was judged. */
interface Judged {
  readonly callId: string;
  /** The call as the model wrote it. */
  readonly call: CallPart;
  /** The tool's own name, where it was found. */
  readonly name: string;
  readonly input: unknown;
  readonly repairs: readonly Repair[];
}

/** A call may run as it was written. */
export interface CallAccepted extends Judged {
  readonly type: 'call.accepted';
}

/** A call may run, with what was changed. */
export interface CallMended extends Judged {
  readonly type: 'call.mended';
  readonly note?: string;
}

/** A call must not run; `result` is what the model is told. */
export interface CallRefused extends Judged {
  readonly type: 'call.refused';
  readonly errorType: ErrorType;
  readonly problems: readonly Problem[];
  readonly recommendations: readonly string[];
  /** Which failed try on this tool it is. */
  readonly attempt: number;
  readonly result: ResultPart;
}

/** Somebody has to say whether a call may run. */
export interface ApprovalRequested {
  readonly type: 'approval.requested';
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly effect: Effect;
  /** Why it is asked. */
  readonly reason: string;
  /** The rule that asked; what an `always` settles. */
  readonly rule?: string;
  /** Of the tool's name, description, schema and effect: a decision counts for this definition. */
  readonly fingerprint?: string;
  /** Why the edit that came before can't run, where it is asked again for that. */
  readonly problems?: readonly Problem[];
}

/** Somebody said so. */
export interface ApprovalDecided {
  readonly type: 'approval.decided';
  readonly callId: string;
  readonly decision: Decision;
}

/** A rule or a person said no; `result` is what the model is told. */
export interface CallDenied {
  readonly type: 'call.denied';
  readonly callId: string;
  readonly name: string;
  readonly reason: string;
  readonly result: ResultPart;
}

/** A tool is about to run. On disk before it does. */
export interface ToolStarted {
  readonly type: 'tool.started';
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  /** The same for every run of one call. */
  readonly key: string;
  readonly effect: Effect;
  readonly repeat: Repeat;
}

/** A tool has ended, well or not; `result` is what the model is told. On disk before anybody hears of it. */
export interface ToolFinished {
  readonly type: 'tool.finished';
  readonly callId: string;
  readonly name: string;
  readonly ok: boolean;
  readonly errorType?: ErrorType;
  /** The error in the tool's own words. */
  readonly error?: string;
  readonly recommendations?: readonly string[];
  readonly result: ResultPart;
  /** How long it ran, in milliseconds. */
  readonly ms: number;
}

/** A tool that had been given up came back after all; the model is not told. */
export interface ToolOrphaned {
  readonly type: 'tool.orphaned';
  readonly callId: string;
  readonly name: string;
  /** What came, shortened. */
  readonly outcome: string;
}

/** A call that was under way when its process ended, or waited when its run was stopped, got its result from us. */
export interface CallSettled {
  readonly type: 'call.settled';
  readonly callId: string;
  readonly name: string;
  /** How far it had come: `unknown` for a tool that may or may not have had its effect. */
  readonly was: 'pending' | 'approval_required' | 'approved' | 'unknown';
  readonly result: ResultPart;
}

/** A fact of a run's log. The log is the only truth: what a run is now is folded from these. */
export type RunFact =
  | RunStarted
  | RunResumed
  | RunEnded
  | MessageAdded
  | TurnRequested
  | TurnCompleted
  | TurnBroken
  | CallOmitted
  | CallAccepted
  | CallMended
  | CallRefused
  | ApprovalRequested
  | ApprovalDecided
  | CallDenied
  | ToolStarted
  | ToolFinished
  | ToolOrphaned
  | CallSettled;

/** A fact in its place: which run, which number, when. */
export type RunEvent<F extends RunFact = RunFact> = F & {
  readonly run: string;
  /** 1, 2, 3 …: no number is missing and none comes twice. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Words and arguments as they come, and how far a tool is: for whoever watches, and not kept. */
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
      /** The piece of argument text that came. */
      readonly text: string;
    }
  /** The log can't be written, so that not even the end is on record. */
  | { readonly type: 'run.halted'; readonly run: string; readonly message: string }
  | {
      readonly type: 'tool.progressed';
      readonly run: string;
      readonly callId: string;
      readonly progress: Progress;
    };

/** What a rule or a person said about a call. */
export type Decision =
  /** This call may run. `always`: and every later one of its tool that this rule would ask about, in this run. */
  | { readonly type: 'allow'; readonly always?: boolean; readonly by?: string }
  /** It must not; the model reads the reason. */
  | { readonly type: 'deny'; readonly reason?: string; readonly by?: string }
  /** It may run with these arguments, exactly; they are checked first. */
  | { readonly type: 'edit'; readonly input: unknown; readonly by?: string };

/** What a person was asked to allow. A decision counts for exactly this: these arguments, under this definition. */
export interface Approval {
  readonly name: string;
  readonly input: unknown;
  /** The rule that asked. */
  readonly rule?: string;
  /** Why it was asked. */
  readonly reason?: string;
  /** Of the tool's definition; a log of before there were fingerprints has none. */
  readonly fingerprint?: string;
}

/** What an `always` settles: one rule, for one definition of a tool. */
export const alwaysKey = (rule: string, fingerprint: string): string => JSON.stringify([rule, fingerprint]);

/** Every way a loop ends. */
export const runEnds = {
  done: 'The model answered without calling a tool',
  refused: 'The model declined to answer',
  filtered: 'The provider held the answer back',
  length: 'The answer reached the token limit before it was whole',
  empty: 'The model kept answering with nothing',
  invalid_calls: 'The model made no valid call in the turns it had',
  repeated_calls: 'The model kept making the same call',
  steps: 'The run used all its turns',
  tokens: 'The run used all its tokens',
  time: 'The run used all its time',
  model: 'The model could not be reached, or failed',
  awaiting_approval: 'A call is waiting for approval',
  aborted: 'The run was stopped',
  storage: 'The log could not be written, so the run stopped where it was',
} as const;

/** How a loop ended. */
export type RunEnd = keyof typeof runEnds;
