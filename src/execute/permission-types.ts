import type { Problem } from '../json/problem.ts';
import type { Decision } from '../log/events.ts';
import type { Tool } from '../tools/tool.ts';

/** A checked call that is about to run. */
// biome-ignore lint/suspicious/noExplicitAny: hooks and rules may name any type, because the agent decides what it is.
export interface CallToDecide<Context = any> {
  /** Id of the run, if the call belongs to one. */
  readonly run?: string;
  /** The context of the run. */
  readonly context?: Context;
  readonly callId: string;
  readonly tool: Tool;
  readonly name: string;
  /** The mended arguments, which a person sees and can edit. */
  readonly input: unknown;
}

/** The decision of the permission rules. */
export type PermissionDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason: string }
  /**
   * Needs approval. `rule` is what an `always` decision would cover. `others` are further rules that match the call, in
   * order: an `always` on `rule` doesn't cover them.
   */
  | ({ readonly type: 'ask'; readonly others?: readonly AskReason[] } & AskReason);

/** A rule that requires approval, and why. */
export interface AskReason {
  readonly rule: string;
  readonly reason: string;
}

/** Permission rules. They contain no decisions: an `always` belongs to one run. */
export interface Permissions {
  decide(call: CallToDecide): PermissionDecision;
}

/** An approval request. */
export interface ApprovalRequest extends CallToDecide {
  readonly reason: string;
  readonly rule: string;
  /** Why the previous edit is invalid. The request stays open until there is a valid decision. */
  readonly problems?: readonly Problem[];
}

/** Decides about calls. Returns undefined to leave the call pending. */
export type Approver = (
  call: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Decision | undefined | Promise<Decision | undefined>;
