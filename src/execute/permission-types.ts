import type { Problem } from '../json/problem.ts';
import type { Decision } from '../log/events.ts';
import type { Tool } from '../tools/tool.ts';

/** A checked call that is about to run. */
export interface CallToDecide {
  readonly callId: string;
  readonly tool: Tool;
  readonly name: string;
  /** The arguments as mended; what a person sees and may edit. */
  readonly input: unknown;
}

/** What the rules say of a call. */
export type PermissionDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason: string }
  /** A person has to say; `rule` is what an `always` would settle. */
  | { readonly type: 'ask'; readonly reason: string; readonly rule: string };

/** The rules that say which calls may run. They hold nothing of what people said: an `always` belongs to one run. */
export interface Permissions {
  decide(call: CallToDecide): PermissionDecision;
}

/** What an approver is asked. */
export interface ApprovalRequest extends CallToDecide {
  readonly reason: string;
  readonly rule: string;
  /** Why the edit that came before can't run; the request stands until there is a decision that can. */
  readonly problems?: readonly Problem[];
}

/** A person, or who stands for one. `undefined`: not now, the call waits. */
export type Approver = (
  call: ApprovalRequest,
  options: { readonly signal: AbortSignal },
) => Decision | undefined | Promise<Decision | undefined>;
