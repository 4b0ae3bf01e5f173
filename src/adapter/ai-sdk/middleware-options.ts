import type { ToolSet } from 'ai';
import type { MendOptions } from '../mend-options.ts';

/** Settings of `mendMiddleware()`. None is needed. */
export interface MiddlewareOptions extends MendOptions {
  /**
   * The tools as they are given to the SDK, so that their own schemas have the last word on a call. Zod's has it in any case;
   * of others a model, and whatever stands before it, is shown JSON Schema only.
   */
  readonly tools?: ToolSet;
}
