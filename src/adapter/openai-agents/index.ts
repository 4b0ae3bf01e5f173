/**
 * The `toolmend/openai-agents` entry: OpenAI Agents SDK models with mended calls, and toolboxes as its tools. Only
 * imports types of the SDK.
 */
export type { CheckedCall } from '../../mend/mend-call.ts';
export { fromAgentTools } from './from-agent-tools.ts';
export { mendModel, mendProvider } from './mend-model.ts';
export type { AgentsOptions } from './options.ts';
export { type AgentTool, type AgentToolOptions, toAgentTools } from './to-agent-tools.ts';
