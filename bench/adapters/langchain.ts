import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { mendMiddleware } from '../../src/adapter/langchain/mend-middleware.ts';
import type { Framework } from './framework.ts';

// The framework logs a warning for every call that it can't read.
console.warn = () => {};

/** LangChain as its users run it: an agent with the tools' JSON Schemas, complete responses, and its own loop. */
export const framework: Framework = {
  name: 'LangChain 1',
  page: 'docs/guides/langchain.md',
  async run({ baseUrl, model: name, tools: definitions, work, adapted, steps }) {
    const model = new ChatOpenAI({ model: name, apiKey: 'none', maxRetries: 0, configuration: { baseURL: baseUrl } });
    const tools = definitions.map(({ name: called, description, inputSchema: schema }) =>
      tool((input: unknown) => work(called, input), { name: called, description, schema }),
    );
    const agent = createAgent({ model, tools, middleware: adapted ? [mendMiddleware()] : [] });
    // A turn is two steps of its graph: the model, and the tools.
    await agent.invoke({ messages: [{ role: 'user', content: 'Go on.' }] }, { recursionLimit: 2 * steps });
  },
};
