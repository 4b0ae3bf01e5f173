/** A call refused for what its values look like is taken when the next try repeats it, in that conversation and no other. */
import { Agent, Runner } from '@openai/agents';
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents-core/testing';
import { tool as aiTool, generateText, isStepCount, wrapLanguageModel } from 'ai';
import { createAgent } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendMiddleware, toAiTools } from '../../src/adapter/ai-sdk/index.ts';
import { mendMiddleware as mendAgents, toLangChainTools } from '../../src/adapter/langchain/index.ts';
import { mendModel, toAgentTools } from '../../src/adapter/openai-agents/index.ts';
import { memoryStore } from '../../src/log/memory-store.ts';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { createProxy, type ResponseReport } from '../../src/proxy/server.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { modelThat } from '../adapters/ai-sdk-scripted.ts';
import { wires } from '../adapters/langchain-run.ts';
import { call as callGateway, closeAll as closeGateways, everything, through } from '../gateway/around.ts';
import { sdks } from '../provider/sdks.ts';
import { closeAll, open } from '../proxy/around.ts';

afterEach(async () => {
  await closeAll();
  await closeGateways();
});

const residue = 'text</parameter></invoke>';
const other = 'more</parameter></invoke>';
const ran: unknown[] = [];
const input = z.object({ path: z.string(), content: z.string() });
const run = (given: { readonly content: string }): string => {
  ran.push(given.content);
  return 'written';
};
const write = tool({ name: 'write_file', description: 'Writes a file', inputSchema: input, execute: run });
const look = tool({
  name: 'list_files',
  description: 'Lists',
  effect: 'read',
  inputSchema: z.object({}),
  execute: () => [],
});
const toolbox = new Toolbox([write, look]);
const args = (content: string): string => JSON.stringify({ path: 'a.md', content });
const turn = (...contents: string[]) => ({
  calls: contents.map((content) => ({ name: 'write_file', arguments: args(content) })),
});
const looking = { calls: [{ name: 'list_files', arguments: '{}' }] };

/** Plays a model's turns to an entrance; tells what was written. */
type Entrance = (turns: readonly ScriptedTurn[]) => Promise<unknown>;

const entrances: Record<string, Entrance> = {
  'the loop': (turns) =>
    agent({ model: scripted([...turns, 'Done.']), tools: [write, look], traces: false }).run('Go').result,
  'tools of the AI SDK': async (turns) =>
    generateText({
      model: await modelThat(...(turns as never[]), 'Done.'),
      tools: toAiTools(toolbox),
      prompt: 'Go',
      stopWhen: isStepCount(9),
      maxRetries: 0,
    }),
  'a model of the AI SDK': async (turns) =>
    generateText({
      model: wrapLanguageModel({
        model: await modelThat(...(turns as never[]), 'Done.'),
        middleware: mendMiddleware(),
      }),
      tools: {
        write_file: aiTool({ description: 'Writes', inputSchema: input, execute: run }),
        list_files: aiTool({ description: 'Lists', inputSchema: z.object({}), execute: () => [] }),
      },
      prompt: 'Go',
      stopWhen: isStepCount(9),
      maxRetries: 0,
    }),
  'tools of LangChain': (turns) => withLangChain(turns, []),
  'an agent of LangChain': (turns) => withLangChain(turns, [mendAgents()]),
  'tools of OpenAI Agents': (turns) => {
    const model = agentsModel(turns);
    return new Runner({ tracingDisabled: true }).run(
      new Agent({ name: 'Files', model, tools: toAgentTools(toolbox) }),
      'Go',
    );
  },
  'a model of OpenAI Agents': (turns) => {
    const model = mendModel(agentsModel(turns));
    return new Runner({ tracingDisabled: true }).run(
      new Agent({ name: 'Files', model, tools: toAgentTools(toolbox) }),
      'Go',
    );
  },
};

async function withLangChain(turns: Parameters<Entrance>[0], middleware: ReturnType<typeof mendAgents>[]) {
  const server = await serveScripted([...turns, 'Done.'] as never);
  try {
    const made = createAgent({ model: wires['OpenAI Chat'](server.url), tools: toLangChainTools(toolbox), middleware });
    return await made.invoke({ messages: [{ role: 'user', content: 'Go' }] });
  } finally {
    await server.close();
  }
}

let ids = 0;
const agentsModel = (turns: Parameters<Entrance>[0]) =>
  new ScriptedModel([
    ...turns.map(({ calls = [] }) =>
      modelResponse(
        calls.map(({ name, arguments: given }) => functionCall(name, String(given), { callId: `c${ids++}` })),
      ),
    ),
    modelResponse([assistantMessage('Done.')]),
  ]);

async function written(entrance: Entrance, ...turns: Parameters<Entrance>[0]): Promise<unknown[]> {
  ran.length = 0;
  await entrance(turns);
  return [...ran];
}

describe.each(Object.entries(entrances))('Residue at %s', (name, entrance) => {
  it('refuses a value with markup the first time', async () => {
    expect(await written(entrance, turn(residue))).toEqual([]);
  });
  it('accepts only the same call the second time', async () => {
    expect(await written(entrance, turn(residue), turn(residue))).toEqual([residue]);
    expect(await written(entrance, turn(residue), turn(other))).toEqual([]);
    expect(await written(entrance, turn(residue), turn('text'))).toEqual(['text']);
  });
  it('counts again after another attempt', async () => {
    expect(await written(entrance, turn(residue), turn('text'), turn(residue))).toEqual(['text']);
    expect(await written(entrance, turn(residue), turn(other), turn(residue))).toEqual([]);
  });
  // What a wrapped model of that SDK was told at once is not in the history it is shown later.
  if (name !== 'a model of OpenAI Agents')
    it('does not count again after a call of another tool', async () => {
      expect(await written(entrance, turn(residue), looking, turn(residue))).toEqual([residue]);
    });
  it('keeps the refusals of conversations apart', async () => {
    expect(await written(entrance, turn(residue))).toEqual([]);
    expect(await written(entrance, turn(residue))).toEqual([]);
  });
});

describe('Residue in a resumed run', () => {
  it('another process remembers what the run was refused', async () => {
    ran.length = 0;
    const store = memoryStore();
    const settings = { tools: [write], store, traces: false } as const;
    const first = agent({ model: scripted([turn(residue) as never, 'I stop.']), ...settings }).run('Go');
    await first.result;
    const again = agent({ model: scripted([turn(residue) as never, 'Done.']), ...settings });
    const resumed = await again.resume(first.id);
    resumed.send('Do go on.');
    await resumed.result;
    expect(ran).toEqual([residue]);
  });
});

describe('Residue in the proxy', () => {
  const chat = sdks['openai chat'] as (typeof sdks)[string];
  const city = 'Oslo</parameter></invoke>';
  const weather = (given: string) => ({
    text: 'Let me look.',
    usage: { input: 1, output: 1 },
    chunk: 5,
    calls: [{ id: 'call_0', name: 'get_weather', arguments: { city: given } }],
  });
  it.each(['whole', 'stream'] as const)('retries, and accepts the same call, %s', async (way) => {
    const upstream = await serveScripted([weather(city), weather(city), weather(city), weather('Oslo')]);
    const reports: ResponseReport[] = [];
    const proxy = await createProxy({
      upstreams: [{ url: upstream.url, formats: ['openai-chat'] }],
      retries: 1,
      onResponse: (report) => reports.push(report),
    }).listen();
    open.push(proxy, upstream);
    expect((await chat[way](proxy.url)).calls).toEqual([{ name: 'get_weather', arguments: { city } }]);
    expect(upstream.requests).toHaveLength(2);
    // A second client's call is a first sight.
    expect((await chat[way](proxy.url)).calls).toEqual([{ name: 'get_weather', arguments: { city: 'Oslo' } }]);
    expect(upstream.requests).toHaveLength(4);
    expect(reports).toMatchObject([{ calls: [{ retried: 1 }] }, { calls: [{ retried: 1 }] }]);
  });
});

describe('Residue in the gateway', () => {
  it('is accepted if the same client sends it again', async () => {
    const config = { mcpServers: { everything } };
    const [one, another] = [await through('memory', 'legacy', config), await through('memory', 'legacy', config)];
    const sent = { message: residue };
    const first = await callGateway(one, 'echo', sent);
    expect(first.text).toContain('markup of the call');
    expect((await callGateway(another, 'echo', sent)).isError).toBe(true);
    expect((await callGateway(one, 'echo', { message: 'a' })).isError).toBeFalsy();
    expect((await callGateway(one, 'echo', sent)).isError).toBe(true);
    expect((await callGateway(one, 'echo', sent)).isError).toBeFalsy();
    expect((await callGateway(one, 'echo', sent)).isError).toBe(true);
  });
});
