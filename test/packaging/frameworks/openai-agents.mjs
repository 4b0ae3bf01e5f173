import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { mendProvider } from 'toolmend/openai-agents';
import { serveScripted } from 'toolmend/scripted';
import { z } from 'zod';

const server = await serveScripted([
  { calls: [{ name: 'write_file', arguments: "{path: 'a.ts', lines: '3',}" }] },
  'Done.',
]);
const ran = [];
const write = tool({
  name: 'write_file',
  description: 'Writes',
  parameters: z.object({ path: z.string(), lines: z.number() }),
  execute: async (input) => {
    ran.push(input);
    return 'ok';
  },
});
const runner = new Runner({
  modelProvider: mendProvider(new OpenAIProvider({ apiKey: 'none', baseURL: `${server.url}/v1`, useResponses: false })),
  tracingDisabled: true,
});
await runner.run(new Agent({ name: 'A', model: 'm', tools: [write] }), 'Go');
console.log(JSON.stringify(ran));
await server.close();
