/** The `toolmend/ai-sdk` entry: mends the calls of AI SDK models, and converts tools in both directions. */
export type { CheckedCall } from '../../mend/mend-call.ts';
export { fromAiTools } from './from-ai-tools.ts';
export { hasFailedTurns, mendMiddleware, repairToolCall } from './mend-middleware.ts';
export type { MiddlewareOptions } from './options.ts';
export { type AiToolsOptions, ToolFailure, toAiTools } from './to-ai-tools.ts';
