import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { mendModel } from 'toolmend/langchain';
import { serveScripted } from 'toolmend/scripted';
import { z } from 'zod';

const server = await serveScripted([{ calls: [{ name: 'write_file', arguments: "{path: 'a.ts', lines: '3',}" }] }]);
const model = mendModel(
  new ChatOpenAI({
    model: 'm',
    apiKey: 'none',
    openAIApiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  }),
);
const write = tool(async () => 'ok', {
  name: 'write_file',
  description: 'Writes',
  schema: z.object({ path: z.string(), lines: z.number() }),
});
const out = await model.bindTools([write]).invoke('Go');
console.log(JSON.stringify(out.tool_calls?.map(({ args }) => args)));
await server.close();
