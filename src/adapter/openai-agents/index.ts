/**
 * The entry `toolmend/openai-agents`: models of the OpenAI Agents SDK whose calls arrive mended, and a toolbox as its
 * tools. It imports nothing of the SDK but types.
 */
export type { AgentsOptions } from './agents-options.ts';
export { mendModel } from './mend-model.ts';
export { mendProvider } from './mend-provider.ts';
