import type { Approver, CallToDecide, Permissions } from '../../execute/permission-rules.ts';
import type { ResultOptions } from '../../execute/result-part.ts';
import type { RunToolOptions } from '../../execute/run-tool.ts';
import type { ToolResult } from '../../execute/tool-result.ts';
import type { Approval, Decision, LiveEvent, RunFact } from '../../log/events.ts';
import type { CallState } from '../../log/state.ts';
import type { Before } from '../../mend/mend-call.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { FinishReason, ResultPart } from '../../model/index.ts';
import type { Policy, ToolContext, ToolScope } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';

/** Records the facts of a call. */
export interface Recorder {
  note(fact: RunFact): unknown;
  /** Resolves when the fact is stored. */
  commit(fact: RunFact): Promise<void>;
}

/** Options of a call. Only the toolbox is required. */
export interface InvokeOptions {
  readonly toolbox: Toolbox;
  readonly policy?: Policy | undefined;
  readonly hooks?: Hooks | undefined;
  /**
   * Called with the outcome of the call once it is checked, before hooks and permissions, for example to count repairs.
   * It can't change the call. If it throws, the call isn't affected.
   */
  readonly onOutcome?: OutcomeListener | undefined;
  readonly permissions?: Permissions | undefined;
  readonly approve?: Approver | undefined;
  /** A decision that was already made about this call. It is final. */
  readonly decision?: Decision | undefined;
  /** What that decision was about. Without it, the decision applies to the call as it is now. */
  readonly approval?: Approval | undefined;
  /** A decision made in the meantime by someone other than `approve`. */
  readonly decided?: (() => Decision | undefined) | undefined;
  /**
   * Permanent approvals of the owner of this set, such as a run or a client.
   * @default this call only
   */
  readonly always?: Set<string> | undefined;
  /**
   * Whether the tool of this call has started before, in a process that ended.
   * @default false
   */
  readonly hasStarted?: boolean | undefined;
  readonly record?: Recorder | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly scope?: ToolScope | undefined;
  /** The conversation before the call, to recognize one that is repeated on purpose. */
  readonly before?: Before | undefined;
  /**
   * Timeout of tools that don't set their own, in milliseconds.
   * @default 120_000
   */
  readonly timeout?: number | undefined;
  /** Why the message with the call ended. */
  readonly finish?: FinishReason | undefined;
  /** Number of the failed attempt on a tool. Feedback becomes more detailed with each. */
  readonly attempt?: ((tool: string) => number) | undefined;
  readonly results?: ResultOptions | undefined;
  /** Runs the tool instead of its own `execute`, for hosts that forward calls. */
  readonly execute?: RunToolOptions['execute'];
  readonly live?: ((event: Extract<LiveEvent, { type: 'tool.progressed' }>) => void) | undefined;
  /** Limits concurrency: called before a tool runs; the returned function is called after it. */
  readonly gate?: (() => Promise<() => void>) | undefined;
  /** Wraps a tool's run, so that spans started in it belong to the call. */
  readonly within?: (<T>(callId: string, work: () => T) => T) | undefined;
  /** Id of the run; part of the key that tools receive. */
  readonly run?: string | undefined;
  /** Number of runs above it. */
  readonly depth?: number | undefined;
  /** Which changed agents may continue child runs. */
  readonly resumePolicy?: ToolContext['resumePolicy'];
  /** Context of the run, for tools, hooks and permissions. */
  readonly context?: unknown;
  /**
   * Whether a call can wait for a result from outside. If not, such a call fails.
   * @default false
   */
  readonly wait?: boolean | undefined;
  /** Whether the caller commits right after this call, because no other one is open. Its result is then only noted. */
  readonly isLast?: ((callId: string) => boolean) | undefined;
  /** What the run knows about completed calls of a tool, for tools with state. */
  readonly earlier?: ((tool: string) => ToolContext['earlier']) | undefined;
  /** Runs a call again that waits for its result. */
  readonly again?: ((callId: string) => Promise<void>) | undefined;
  /** Creates the URL that accepts the result of a call. */
  readonly resultUrl?: ((callId: string) => string) | undefined;
}

/** Called with the outcome of each call, the id of the call and that of its run. */
export type OutcomeListener = (
  outcome: Outcome,
  call: { readonly callId: string; readonly run?: string | undefined },
) => void;

/** The result of `invoke`. Without `result`, the call is waiting for approval or for a result from outside. */
export interface Invocation {
  readonly state: CallState;
  readonly outcome: Outcome;
  /** The result for the model. */
  readonly result?: ResultPart;
  /** The result as a value. */
  readonly value?: ToolResult;
}

/**
 * What a hook can do with a call before it runs: nothing, replace the arguments (which are checked again), or deny it.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
export type BeforeCall = void | { readonly input: unknown } | { readonly deny: string };

/** Hooks around each tool run. If a hook throws, its call fails. */
// biome-ignore lint/suspicious/noExplicitAny: hooks may name any type, because the agent decides what it is.
export interface Hooks<Context = any> {
  before?(call: CallToDecide<Context>): BeforeCall | Promise<BeforeCall>;
  /** Can replace the result. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing.
  after?(call: CallToDecide<Context>, result: ToolResult): void | ToolResult | Promise<void | ToolResult>;
}
