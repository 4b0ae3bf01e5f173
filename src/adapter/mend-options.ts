import type { CallContext } from '../dialect/echo/context.ts';
import type { CheckedCall } from '../mend/mend-call.ts';
import type { Policy } from '../tools/tool.ts';

/** How an adapter handles the calls in responses. */
export interface MendOptions {
  /**
   * The dialect for calls in text; `native` doesn't read text.
   * @default 'auto'
   */
  readonly dialect?: string;
  /**
   * Whether the service parses the model's calls itself. Calls in text then count only if nothing about them is
   * doubtful.
   * @default detected from the model's URL, if the framework exposes it
   */
  readonly hosted?: boolean;
  readonly policy?: Policy;
  /** Called for each checked call. */
  readonly onCall?: (call: CheckedCall) => void;
}

/** Options for one response. */
export interface ResponseOptions extends MendOptions {
  /** The conversation before it. */
  readonly context?: CallContext;
}
