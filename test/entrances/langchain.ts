import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { mendMiddleware } from '../../src/adapter/langchain/index.ts';
import { framework, type Play } from './framework.ts';
import { act } from './toolbox-of.ts';

const play =
  (stream: boolean): Play =>
  async (url, one, on, onCall) => {
    const configuration = { baseURL: `${url}/v1` };
    const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration });
    const tools = one.tools.map((each) =>
      tool((input: unknown) => act(each, input, on) as string, {
        ...{ name: each.name, description: each.description, schema: each.inputSchema as object },
      }),
    );
    const agent = createAgent({ model, tools, middleware: [mendMiddleware({ onCall })] });
    const question = { messages: [{ role: 'user' as const, content: 'Go on.' }] };
    if (!stream) await agent.invoke(question);
    else for await (const _ of await agent.stream(question, { streamMode: 'messages' }));
  };

/** LangChain's agents with their middleware, whole and streamed. */
export const langchain = [
  framework({ name: 'LangChain, whole', column: 'LangChain' }, play(false)),
  framework({ name: 'LangChain, streamed', column: 'LangChain' }, play(true)),
];
