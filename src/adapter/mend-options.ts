import type { CallContext } from '../dialect/echo/context.ts';
import type { CheckedCall } from '../mend/mend-call.ts';
import type { Policy } from '../tools/tool.ts';

/** How an adapter deals with the calls of a model's answers. */
export interface MendOptions {
  /** The dialect in which calls are looked for in text; `auto` unless it is said, `native`: text is left alone. */
  readonly dialect?: string;
  /**
   * A service makes the model's calls native, so that a call in its words is believed only where nothing about it is unsure. Known
   * by the model's address, where the framework shows it.
   */
  readonly hosted?: boolean;
  readonly policy?: Policy;
  /** Hears of every call that was judged. */
  readonly onCall?: (call: CheckedCall) => void;
}

/** How one answer is dealt with. */
export interface ResponseOptions extends MendOptions {
  /** The conversation before it. */
  readonly context?: CallContext;
}
