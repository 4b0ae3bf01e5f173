/** Frameworks with their own loops on a real server: what their next request says about the call. */
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, tool as agentsTool, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, isStepCount, type ToolSet, tool } from 'ai';
import { createAgent, tool as langchainTool } from 'langchain';
import { openai } from '../../src/provider/index.ts';
import { agent } from '../../src/run/agent.ts';
import { toolFromMcp } from '../../src/tools/tool-from-mcp.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import type { Definition } from '../../test/damage/definition.ts';
import type { Mastra } from '../accuracy/contestants/mastra.ts';
import type { Stage } from '../one-call-model.ts';
import type { ListeningModel } from './heard.ts';
import type { Teller } from './teller.ts';
import { ajvFor, zodOf } from './validators.ts';

const steps = 2;
type Play = (stage: Stage, tools: readonly Definition[]) => Promise<unknown>;

/** Our own agent, with its default feedback. */
const ours: Play = async ({ baseUrl, work }, definitions) => {
  const tools = definitions.map(({ name, description, inputSchema, annotations }) => ({
    ...toolFromMcp({ name, description, inputSchema, ...(annotations && { annotations }) }, { trusted: true }),
    execute: (input: unknown) => work(name, input),
  }));
  const model = openai({ model: 'scripted', baseURL: baseUrl, apiKey: 'none' });
  const toolbox = new Toolbox(tools, { validate: false });
  await agent({ model, tools: toolbox, budgets: { steps }, traces: false, redact: false }).run('Go on.').result;
};

const aiSdk: Play = async ({ baseUrl, work }, definitions) => {
  const tools: ToolSet = Object.fromEntries(
    definitions.map((one) => [
      one.name,
      tool({ description: one.description, inputSchema: zodOf(one), execute: (input) => work(one.name, input) }),
    ]),
  );
  const model = createOpenAI({ baseURL: baseUrl, apiKey: 'none' }).chat('scripted');
  await generateText({ model, tools, prompt: 'Go on.', maxRetries: 0, stopWhen: isStepCount(steps) });
};

const langchain: Play = async ({ baseUrl, work }, definitions) => {
  // It passes all of Zod's errors on. `verboseParsingErrors` would repeat them.
  const tools = definitions.map((one) => {
    const settings = { name: one.name, description: one.description };
    return langchainTool((input: unknown) => work(one.name, input), { ...settings, schema: zodOf(one) as never });
  });
  const model = new ChatOpenAI({
    model: 'scripted',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: baseUrl },
  });
  const messages = [{ role: 'user' as const, content: 'Go on.' }];
  await createAgent({ model, tools }).invoke({ messages }, { recursionLimit: 2 * steps });
};

/** It doesn't check JSON Schemas, so a careful tool does. ajv's messages reach the model only through `errorFunction`. */
const openaiAgents: Play = async ({ baseUrl, work }, definitions) => {
  const tools = definitions.map(({ name, description, inputSchema }) => {
    const parameters = inputSchema as never;
    const ajv = ajvFor(inputSchema);
    const check = ajv.compile(inputSchema);
    const execute = (input: unknown): string => {
      if (!check(input)) throw new Error(ajv.errorsText(check.errors));
      return work(name, input);
    };
    const errorFunction = (_: unknown, error: unknown): string => String(error);
    return { ...agentsTool({ name, description, strict: false, parameters, execute, errorFunction }), name };
  });
  const modelProvider = new OpenAIProvider({ baseURL: baseUrl, apiKey: 'none', useResponses: false });
  const own = new Agent({ name: 'Agent', model: 'scripted', tools });
  await new Runner({ modelProvider, tracingDisabled: true }).run(own, 'Go on.', { maxTurns: steps });
};

const mastra =
  ({ Agent: MastraAgent, createTool }: Pick<Mastra, 'Agent' | 'createTool'>): Play =>
  async ({ baseUrl, work }, definitions) => {
    const toolOf = (one: Definition): unknown =>
      createTool({
        id: one.name,
        description: one.description,
        inputSchema: zodOf(one),
        execute: async (input: unknown) => work(one.name, input),
      });
    const tools = Object.fromEntries(definitions.map((one) => [one.name, toolOf(one)]));
    const model = { id: 'custom/scripted', url: baseUrl, apiKey: 'none' };
    const own = new MastraAgent({ id: 'agent', name: 'agent', instructions: 'Go on.', model, tools });
    await own.generate('Go on.', { maxSteps: steps });
  };

/** Every framework; Mastra only if it could be installed. */
export function frameworks(model: ListeningModel, peer?: Pick<Mastra, 'Agent' | 'createTool'>): Teller[] {
  const teller = (name: string, how: string, play: Play): Teller => ({
    name,
    how,
    tell: (tools, call) => model.play(call, (stage) => play(stage, tools)),
  });
  return [
    teller('Toolmend', 'its agent, as it is', ours),
    teller('AI SDK', '`generateText`, tools by Zod', aiSdk),
    teller('LangChain', '`createAgent`, tools by Zod', langchain),
    ...(peer ? [teller('Mastra', 'its `Agent`, tools by Zod', mastra(peer))] : []),
    teller('OpenAI Agents + ajv', 'its `Runner`; ajv in the tool, and what it says by `errorFunction`', openaiAgents),
  ];
}
