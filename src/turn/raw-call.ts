import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { WrittenFinishReason } from './finish-reason.ts';

/** What a model wrote when it called a tool, before anybody has judged it. */
export interface RawCall {
  /** The provider's id of the call, where it gave one. */
  readonly id?: string | undefined;
  /** The tool's name as written. */
  readonly name: string;
  /** The arguments as text (whatever it holds) or as a value some client has parsed already. */
  readonly arguments?: unknown;
  /**
   * How the message that held the call ended, in our words or in the provider's own. `length`, however it is spelt
   * (`max_tokens`, `MAX_TOKENS`, `incomplete`), condemns a call that is still open, no other.
   */
  readonly finishReason?: WrittenFinishReason | undefined;
  /** What was found wrong where it was read, which the arguments do not show; a call with any of it never runs. */
  readonly found?: readonly Problem[] | undefined;
  /** The same call was refused before for what its values look like: sent again, it is meant. */
  readonly repeated?: boolean | undefined;
  /** What was inferred where it was read, beside what its arguments show: that it was written as text, for one. */
  readonly read?: readonly Repair[] | undefined;
}
