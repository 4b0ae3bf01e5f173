/**
 * The entry `toolmend/ai-sdk`: a middleware for models of the AI SDK, a repair of single calls, and tools in both directions.
 */
export type { JudgedCall } from '../../call/mended-call.ts';
export { mendMiddleware } from './mend-middleware.ts';
export type { MiddlewareOptions } from './middleware-options.ts';
