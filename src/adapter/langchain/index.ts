/** The `toolmend/langchain` entry: mends calls of LangChain agents and chat models. */
export type { CheckedCall } from '../../mend/mend-call.ts';
export type { MendOptions } from '../mend-options.ts';
export { type FromOptions, fromLangChainTools } from './from-langchain-tools.ts';
export { type MiddlewareOptions, mendMiddleware } from './mend-middleware.ts';
export { type ChatModel, type MendingModel, mendModel } from './mending-model.ts';
export { type ToolsOptions, toLangChainTools } from './to-langchain-tools.ts';
