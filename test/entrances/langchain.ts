import type { StructuredTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { mendMiddleware, toLangChainTools } from '../../src/adapter/langchain/index.ts';
import { type Conversation, framework, ownTools, type Play } from './framework.ts';
import { act } from './toolbox-of.ts';

const play =
  (stream: boolean, toolsOf: (conversation: Conversation) => StructuredTool[]): Play =>
  async (conversation) => {
    const { url, onCall } = conversation;
    const configuration = { baseURL: `${url}/v1` };
    const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration });
    const tools = toolsOf(conversation);
    const agent = createAgent({ model, tools, middleware: [mendMiddleware({ onCall })] });
    const question = { messages: [{ role: 'user' as const, content: 'Go on.' }] };
    if (!stream) await agent.invoke(question);
    else for await (const _ of await agent.stream(question, { streamMode: 'messages' }));
  };

/** The tools of a case, as the framework has them. */
const own = ({ one, on }: Conversation): StructuredTool[] =>
  one.tools.map((each) =>
    tool((input: unknown) => act(each, input, on) as string, {
      name: each.name,
      description: each.description,
      schema: each.inputSchema as object,
    }),
  );

const ours = ({ toolbox, running }: Conversation): StructuredTool[] => toLangChainTools(toolbox, running);

const over = (name: string, play: Play, cannot = {}) =>
  framework({ name: `LangChain, ${name}`, column: 'LangChain' }, play, { cannot });

/** LangChain's agents with their middleware, whole and streamed, with tools of its own and with those of a toolbox. */
export const langchain = [
  over('complete', play(false, own), ownTools),
  over('streamed', play(true, own), ownTools),
  over('toolbox tools', play(true, ours)),
];
