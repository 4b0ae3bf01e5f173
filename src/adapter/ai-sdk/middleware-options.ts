import type { ToolSet } from 'ai';
import type { MendOptions } from '../mend-options.ts';

/** Settings of `mendMiddleware()`. None is needed. */
export interface MiddlewareOptions extends MendOptions {
  /**
   * The tools as they are given to the SDK. A model is shown JSON Schema only; with the tools at hand their own schemas
   * judge its calls, with all they transform and refine.
   */
  readonly tools?: ToolSet;
}
