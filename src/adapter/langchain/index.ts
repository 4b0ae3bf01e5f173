/** The `toolmend/langchain` entry: mends calls of LangChain agents and chat models. */
import { AIMessage } from '@langchain/core/messages';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { kindOf } from './message-fields.ts';

export type { CheckedCall } from '../../mend/mend-call.ts';
export type { MendOptions } from '../mend-turn.ts';
export { type FromOptions, fromLangChainTools, type ToolsOptions, toLangChainTools } from './langchain-tools.ts';
export { type MiddlewareOptions, mendMiddleware } from './mend-middleware.ts';
export { type ChatModel, type MendingModel, mendModel } from './mending-model.ts';

// Messages of earlier versions don't expose their kind.
if (kindOf(new AIMessage('')) !== 'ai')
  throw new ToolmendError(
    'unsupported',
    'toolmend/langchain requires @langchain/core 0.3 or 1. Update @langchain/core.',
  );
