/**
 * The entry `toolmend/langchain`: calls mended for LangChain's agents and chat models. It may import every layer but the
 * other entrances.
 */
export { mendMiddleware } from './mend-middleware.ts';
