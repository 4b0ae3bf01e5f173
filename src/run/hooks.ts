import type { CallToDecide } from '../exec/permission.ts';
import type { ToolResult } from '../exec/tool-result.ts';

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
