import type { Before } from '../call/mend-repeated.ts';
import type { Outcome } from '../call/outcome.ts';
import type { Approver, Permissions } from '../exec/permission.ts';
import type { ResultOptions } from '../exec/result-part.ts';
import type { ToolResult } from '../exec/tool-result.ts';
import type { CallState } from '../log/call-record.ts';
import type { Approval, Decision } from '../log/decision.ts';
import type { LiveEvent, RunFact } from '../log/event.ts';
import type { Policy } from '../tool/policy.ts';
import type { ToolScope } from '../tool/tool.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { FinishReason, ResultPart } from '../turn/turn.ts';
import type { Hooks } from './hooks.ts';

/** Where the facts of a call are written down. */
export interface Recorder {
  note(fact: RunFact): unknown;
  /** Settles when the fact is on disk. */
  commit(fact: RunFact): Promise<void>;
}

/** What a call is invoked with. Only the toolbox must be given. */
export interface InvokeOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  readonly hooks?: Hooks | undefined;
  readonly permissions?: Permissions | undefined;
  readonly approve?: Approver | undefined;
  /** What a person said about this call already; it is final. */
  readonly decision?: Decision | undefined;
  /** What that decision was about; without it the decision counts for the call as it is now. */
  readonly approval?: Approval | undefined;
  /** What a person has said meanwhile, where somebody else than `approve` may be told. */
  readonly decided?: (() => Decision | undefined) | undefined;
  /** What `always` has settled, and settles, for whoever owns this set: one run, one client. Default: this call alone. */
  readonly always?: Set<string> | undefined;
  readonly record?: Recorder | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly scope?: ToolScope | undefined;
  /** The conversation before the call, to know one that is sent again because it is meant. */
  readonly before?: Before | undefined;
  /** How long a tool may run that does not say so itself. Default two minutes. */
  readonly timeout?: number | undefined;
  /** How the message that held the call ended. */
  readonly finish?: FinishReason | undefined;
  /** Which failed try on its tool this would be; the feedback grows with it. */
  readonly tries?: ((tool: string) => number) | undefined;
  readonly results?: ResultOptions | undefined;
  readonly live?: ((event: Extract<LiveEvent, { type: 'tool.progressed' }>) => void) | undefined;
  /** Lets so many tools run at once: called before a run, and what it gives when the run is over. */
  readonly gate?: (() => Promise<() => void>) | undefined;
  /** Does the work of a tool's run; what is begun in it belongs to the call. */
  readonly within?: (<T>(callId: string, work: () => T) => T) | undefined;
  /** The run it belongs to; part of the key a tool sees. */
  readonly run?: string | undefined;
}

/** What came of a call. Without `result` it waits for an approval. */
export interface Invocation {
  readonly state: CallState;
  readonly outcome: Outcome;
  /** What the model is told. */
  readonly result?: ResultPart;
  /** The same for programs. */
  readonly value?: ToolResult;
}
