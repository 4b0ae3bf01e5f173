import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, tool, wrapLanguageModel } from 'ai';
import { mendMiddleware } from 'toolmend/ai-sdk';
import { serveScripted } from 'toolmend/scripted';
import { z } from 'zod';

const inputSchema = z.object({ path: z.string(), lines: z.number() });
const turns = [{ calls: [{ name: 'write_file', arguments: "{path: 'a.ts', lines: '3',}" }] }, 'Done.'];
for (const streams of [false, true]) {
  const server = await serveScripted(turns);
  const ran = [];
  const model = wrapLanguageModel({
    model: createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }).chat('m'),
    middleware: mendMiddleware(),
  });
  const tools = {
    write_file: tool({
      description: 'Writes',
      inputSchema,
      // The name of the option before version 5.
      parameters: inputSchema,
      execute: async (input) => {
        ran.push(input);
        return 'ok';
      },
    }),
  };
  if (streams) {
    const r = streamText({ model, tools, prompt: 'Go' });
    for await (const _ of r.fullStream);
  } else await generateText({ model, tools, prompt: 'Go' });
  console.log(JSON.stringify(ran));
  await server.close();
}
