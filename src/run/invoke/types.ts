import type { Approver, CallToDecide, Permissions } from '../../execute/permission-types.ts';
import type { ResultOptions } from '../../execute/result-part.ts';
import type { RunToolOptions } from '../../execute/run-tool.ts';
import type { ToolResult } from '../../execute/tool-result.ts';
import type { Approval, Decision, LiveEvent, RunFact } from '../../log/events.ts';
import type { CallState } from '../../log/state.ts';
import type { Before } from '../../mend/mend-call.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { FinishReason, ResultPart } from '../../model/index.ts';
import type { Policy, ToolScope } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';

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
  readonly attempt?: ((tool: string) => number) | undefined;
  readonly results?: ResultOptions | undefined;
  /** Runs the tool in place of its own `execute`, for hosts that forward calls elsewhere. */
  readonly execute?: RunToolOptions['execute'];
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

/** What a hook may do with a call before it runs: nothing, other arguments (checked again), or a no. */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
export type BeforeCall = void | { readonly input: unknown } | { readonly deny: string };

/** Code of the program's own around every run of a tool. A hook that throws fails the call it was asked about. */
export interface Hooks {
  before?(call: CallToDecide): BeforeCall | Promise<BeforeCall>;
  /** May put another result in place of this one. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
  after?(call: CallToDecide, result: ToolResult): void | ToolResult | Promise<void | ToolResult>;
}
