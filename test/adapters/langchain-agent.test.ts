import { Command, MemorySaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool, toolStrategy } from 'langchain';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { mendMiddleware } from '../../src/adapter/langchain/index.ts';
import { type ScriptedServer, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';
import { wires } from './langchain-run.ts';

const servers: ScriptedServer[] = [];
const modelOf = async (turns: readonly ServedTurn[]) => {
  const server = await serveScripted(turns);
  servers.push(server);
  return wires['OpenAI Chat'](server.url);
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
// The framework warns on the console of every call that it can't read.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

const question = { messages: [{ role: 'user', content: 'Go on.' }] };
const ran: unknown[] = [];
const write = tool(
  (input) => {
    ran.push(input);
    return 'written';
  },
  { name: 'write_file', description: 'Writes', schema: z.object({ path: z.string(), content: z.string() }) },
);

/** A person is asked of every write. The framework's own types do not fit together where options are exact. */
const approval = (): AgentMiddleware =>
  humanInTheLoopMiddleware({ interruptOn: { write_file: true } } as never) as unknown as AgentMiddleware;

describe('with other features of an agent', () => {
  it('structured output by a tool is mended', async () => {
    const responseFormat = toolStrategy(z.object({ city: z.string(), people: z.number() }));
    const turns: ServedTurn[] = [
      { calls: [{ name: responseFormat[0]?.name ?? '', arguments: "{city: 'Rome', people: '3'}" }] },
    ];
    const run = async (mends: boolean): Promise<unknown> => {
      const middleware = mends ? [mendMiddleware()] : [];
      const agent = createAgent({ model: await modelOf(turns), tools: [write], responseFormat, middleware });
      return (await agent.invoke(question)).structuredResponse;
    };
    expect(await run(false)).toBeUndefined();
    expect(await run(true)).toEqual({ city: 'Rome', people: 3 });
  });

  it('a refused call that a person edits runs as edited, from a checkpoint', async () => {
    ran.length = 0;
    const turns: ServedTurn[] = [{ calls: [{ name: 'write_file', arguments: '{"path": "a.ts"}' }] }, 'Done.'];
    const middleware = [approval(), mendMiddleware()];
    const model = await modelOf(turns);
    const agent = createAgent({ model, tools: [write], middleware, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    await agent.invoke(question, config);
    expect(ran).toEqual([]);
    const editedAction = { name: 'write_file', args: { path: 'a.ts', content: 'x' } };
    const resume = { decisions: [{ type: 'edit', editedAction }] };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(ran).toEqual([{ path: 'a.ts', content: 'x' }]);
    expect(messages.at(-1)?.text).toBe('Done.');
  });

  it('a refused call that a person approves gets a response, and runs nothing', async () => {
    ran.length = 0;
    const turns: ServedTurn[] = [{ calls: [{ name: 'write_file', arguments: '{"path": "a.ts"}' }] }, 'Done.'];
    const middleware = [approval(), mendMiddleware()];
    const model = await modelOf(turns);
    const agent = createAgent({ model, tools: [write], middleware, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    await agent.invoke(question, config);
    const { messages } = await agent.invoke(new Command({ resume: { decisions: [{ type: 'approve' }] } }), config);
    expect(ran).toEqual([]);
    expect(messages.map(({ text }) => text).join()).toContain("Field 'content' is required but missing");
  });
});
