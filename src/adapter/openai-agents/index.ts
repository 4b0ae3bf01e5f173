/**
 * The entry `toolmend/openai-agents`: models of the OpenAI Agents SDK whose calls arrive mended, and a toolbox as its
 * tools. It imports nothing of the SDK but types.
 */
export type { JudgedCall } from '../../call/mended-call.ts';
export type { AgentsOptions } from './agents-options.ts';
export { fromAgentTools } from './from-agent-tools.ts';
export { mendModel } from './mend-model.ts';
export { mendProvider } from './mend-provider.ts';
export { type AgentTool, type AgentToolOptions, toAgentTools } from './to-agent-tools.ts';
