/**
 * The entry `toolmend/openai-agents`: models of the OpenAI Agents SDK whose calls arrive mended, and a toolbox as its
 * tools. It imports nothing of the SDK but types.
 */
export type { CheckedCall } from '../../mend/mend-call.ts';
export { fromAgentTools } from './from-agent-tools.ts';
export { mendModel, mendProvider } from './mend-model.ts';
export type { AgentsOptions } from './options.ts';
export { type AgentTool, type AgentToolOptions, toAgentTools } from './to-agent-tools.ts';
