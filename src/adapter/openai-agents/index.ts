/**
 * The `toolmend/openai-agents` entry: OpenAI Agents SDK models with mended calls, and toolboxes as its tools. Only
 * imports types of the SDK.
 */
export type { CheckedCall } from '../../mend/mend-call.ts';
export { type AgentTool, type AgentToolOptions, fromAgentTools, toAgentTools } from './agent-tools.ts';
export { mendModel, mendProvider } from './mend-model.ts';
export type { AgentsOptions } from './options.ts';
