import { ChatOpenAI } from '@langchain/openai';
import { createAgent, tool } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendMiddleware } from '../../src/adapter/langchain/index.ts';
import { type ScriptedServer, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const run = async (turns: ServedTurn[], mends: boolean) => {
  const server = await serveScripted(turns);
  servers.push(server);
  const ran: unknown[] = [];
  const readFile = tool(
    (input) => {
      ran.push(input);
      return `of ${input.path}`;
    },
    {
      name: 'read_file',
      description: 'Reads a file',
      schema: z.object({ path: z.string(), limit: z.number().optional() }),
    },
  );
  const model = new ChatOpenAI({
    model: 'm',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${server.url}/v1` },
  });
  const agent = createAgent({ model, tools: [readFile], middleware: mends ? [mendMiddleware()] : [] });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Read a.ts' }] });
  return { ran, messages, last: messages.at(-1)?.text };
};

describe('LangChain', () => {
  it('C15 broken JSON ends the run without it, and is mended with it', async () => {
    const turns: ServedTurn[] = [{ calls: [{ name: 'read_file', arguments: "{path: 'a.ts', limit: '5',}" }] }, 'Done.'];
    const bare = await run(turns, false);
    expect(bare).toMatchObject({ ran: [], last: '' });
    const mended = await run(turns, true);
    expect(mended).toMatchObject({ ran: [{ path: 'a.ts', limit: 5 }], last: 'Done.' });
  });
});
