/** Tools of every framework that `toolmend check` finds in a module. */
import { tool as langchainTool } from '@langchain/core/tools';
import { tool as agentTool } from '@openai/agents';
import { tool as aiTool, jsonSchema } from 'ai';
import { z } from 'zod';
import { Toolbox, tool } from '../../src/index.ts';

const words = z.object({ path: z.string() });
const broken = { type: 'object', properties: { path: { type: 'strin' } } } as const;

export const toolbox = new Toolbox([tool({ name: 'own_tool', description: 'Reads', inputSchema: words })]);

export const aiTools = {
  ai_sound: aiTool({ description: 'Reads', inputSchema: words }),
  ai_broken: aiTool({ description: 'Reads', inputSchema: jsonSchema(broken as never) }),
};

export const chainTools = [
  langchainTool(() => '', { name: 'chain_sound', description: 'Reads', schema: words }),
  langchainTool(() => '', { name: 'chain_broken', description: 'Reads', schema: broken as never }),
];

export const agentTools = [
  agentTool({ name: 'agent_sound', description: 'Reads', parameters: words, execute: () => '' }),
  agentTool({ name: 'agent_broken', description: ' ', parameters: words, execute: () => '' }),
];

export const mcpTools = [
  {
    name: 'mcp_sound',
    description: 'Reads',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  { name: 'mcp_shape', description: 'Reads', inputSchema: { path: z.string(), at: z.date().optional() } },
];

export const openaiTools = [
  { type: 'function', function: { name: 'chat_broken', description: 'Reads', parameters: broken } },
];

export const zod_sound = words.describe('Reads');
export const zod_broken = z.object({ at: z.date() }).describe('Reads');
