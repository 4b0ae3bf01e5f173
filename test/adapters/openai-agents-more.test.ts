import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  OpenAIProvider,
  Runner,
  tool,
} from '@openai/agents';
import type { ModelRequest } from '@openai/agents-core';
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents-core/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendModel, mendProvider } from '../../src/adapter/openai-agents/index.ts';
import { type ScriptedServer, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';

const servers: ScriptedServer[] = [];
const serve = async (turns: ServedTurn[]): Promise<ScriptedServer> => {
  const server = await serveScripted(turns);
  servers.push(server);
  return server;
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const runner = new Runner({ tracingDisabled: true });
const noted: unknown[] = [];
afterEach(() => void noted.splice(0));
const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  parameters: z.object({ path: z.string() }),
  execute: (input) => {
    noted.push(input);
    return `of ${input.path}`;
  },
});
const agentOn = (model: Model) => new Agent({ name: 'Files', model, tools: [readFile] });

describe('a model of the SDK', () => {
  it('stays unchanged if the provider runs the tools: hosted calls pass unchanged', async () => {
    const hosted = { type: 'hosted_tool_call', id: 'ws_1', name: 'web_search_call', status: 'completed' } as const;
    const output = [hosted, functionCall('read_file', "{path: 'a.ts'}", { callId: 'c1', id: 'fc_1' })];
    const model = new ScriptedModel([modelResponse(output), modelResponse([assistantMessage('Done.')])]);
    const { finalOutput, rawResponses } = await runner.run(agentOn(mendModel(model)), 'Go.');
    expect(finalOutput).toBe('Done.');
    expect(rawResponses[0]?.output[0]).toEqual(hosted);
    expect(rawResponses[0]?.output[1]).toMatchObject({ id: 'fc_1', callId: 'c1', arguments: '{"path":"a.ts"}' });
  });

  it('leaves calls of a namespace, and names that a tool search may have loaded, to the SDK', async () => {
    const spaced = functionCall('read_file', '{oops', { callId: 'c1', namespace: 'files' });
    const unknown = functionCall('loaded_later', '{}', { callId: 'c2' });
    const model = mendModel(new ScriptedModel([modelResponse([spaced, unknown])]));
    const search = { type: 'hosted_tool', name: 'tool_search', providerData: { type: 'tool_search' } } as const;
    const { output } = await model.getResponse({ ...question, tools: [search] });
    expect(output).toEqual([spaced, unknown]);
  });

  it('reports a bad call next to a good one, in later runs of the same history too', async () => {
    const turns = [
      modelResponse([
        functionCall('read_file', { path: 'a.ts' }, { callId: 'fine' }),
        functionCall('read_file', { pth: 1 }, { callId: 'bad' }),
      ]),
      modelResponse([assistantMessage('Done.')]),
      modelResponse([assistantMessage('Again.')]),
    ];
    const model = new ScriptedModel(turns);
    const agent = agentOn(mendModel(model));
    const { history } = await runner.run(agent, 'Go.');
    const again: AgentInputItem[] = [...structuredClone(history), { role: 'user', content: 'And now?' }];
    await runner.run(agent, again);
    for (const { request } of model.calls.slice(1)) {
      const results = (request.input as AgentInputItem[]).filter(({ type }) => type === 'function_call_result');
      expect(results.map((item) => 'callId' in item && item.callId).sort()).toEqual(['bad', 'fine']);
      expect(JSON.stringify(results)).toContain("did you mean 'path'?");
      expect(JSON.stringify(request.input)).not.toContain('toolmend');
    }
    expect(noted).toEqual([{ path: 'a.ts' }]);
  });

  it("replaces the SDK's sentence in a history with the fault", async () => {
    const bare = new ScriptedModel([
      modelResponse([functionCall('read_file', '{"pth": 1}', { callId: 'c1' })]),
      modelResponse([assistantMessage('Done.')]),
    ]);
    const { history } = await runner.run(agentOn(bare), 'Go.');
    expect(JSON.stringify(history)).toContain('An error occurred while');
    const model = new ScriptedModel([modelResponse([assistantMessage('Done.')])]);
    await runner.run(agentOn(mendModel(model)), [...history, { role: 'user', content: 'Again?' }]);
    const asked = JSON.stringify(model.firstCall?.request.input);
    expect(asked).not.toContain('An error occurred while');
    expect(asked).toContain("did you mean 'path'?");
  });

  it('sends only bad calls to a provider that stores the conversation, at once or with the next results', async () => {
    const answer = (id: string, ...calls: ReturnType<typeof functionCall>[]) => ({
      output: calls,
      usage,
      responseId: id,
    });
    const bad = (callId: string) => functionCall('launch', '{}', { callId });
    const fine = functionCall('read_file', { path: 'a.ts' }, { callId: 'fine' });
    const model = new ScriptedModel([
      modelResponse(answer('r1', bad('b1'))),
      modelResponse(answer('r2', bad('b2'), fine)),
      modelResponse([assistantMessage('Done.')]),
    ]);
    const { finalOutput } = await runner.run(agentOn(mendModel(model)), 'Go.', { previousResponseId: 'r0' });
    expect(finalOutput).toBe('Done.');
    const asked = model.calls.map(({ request: { input, previousResponseId } }) => [
      previousResponseId,
      (input as AgentInputItem[]).map((item) => ('callId' in item ? item.callId : item.type)),
    ]);
    expect(asked).toEqual([
      ['r0', ['message']],
      ['r1', ['b1']],
      ['r2', ['b2', 'fine']],
    ]);
  });

  it('reports a bad call to a stored conversation once', async () => {
    const fine = (callId: string) => functionCall('read_file', { path: callId }, { callId });
    const model = new ScriptedModel([
      modelResponse([fine('a'), functionCall('launch', {}, { callId: 'bad' })]),
      modelResponse([fine('b')]),
      modelResponse([assistantMessage('Done.')]),
    ]);
    await runner.run(agentOn(mendModel(model)), 'Go.', { conversationId: 'conv' });
    const told = model.calls.map(({ request }) =>
      (request.input as AgentInputItem[]).flatMap((item) => ('callId' in item ? item.callId : [])),
    );
    expect(told).toEqual([[], ['bad', 'a'], ['b']]);
  });

  it('releases buffered text if a stream breaks off', async () => {
    const broken: Model = {
      getResponse: () => Promise.reject(new Error('not asked')),
      async *getStreamedResponse() {
        yield { type: 'output_text_delta', delta: 'I look. <tool_call>{"na' };
        throw new Error('gone');
      },
    };
    const { tools } = agentOn(broken);
    const heard: string[] = [];
    const listen = async () => {
      for await (const event of mendModel(broken).getStreamedResponse({
        ...question,
        tools: tools as ModelRequest['tools'],
      }))
        if (event.type === 'output_text_delta') heard.push(event.delta);
    };
    await expect(listen()).rejects.toThrow('gone');
    expect(heard.join('')).toBe('I look. <tool_call>{"na');
  });

  it('a broken schema affects no other tool', async () => {
    const odd = tool({
      name: 'odd',
      description: 'Odd',
      strict: false,
      parameters: {
        type: 'object',
        properties: { a: { $ref: '#/nowhere' } },
        required: [],
        additionalProperties: true,
      },
      execute: (input) => {
        noted.push(input);
        return 'fine';
      },
    });
    const model = new ScriptedModel([
      modelResponse([functionCall('odd', { a: 1 }, { callId: 'c1' })]),
      modelResponse([assistantMessage('Done.')]),
    ]);
    const { finalOutput } = await runner.run(new Agent({ name: 'Odd', model: mendModel(model), tools: [odd] }), 'Go.');
    expect(finalOutput).toBe('Done.');
    expect(noted).toEqual([{ a: 1 }]);
  });

  it('keeps reasoning before its call on a retry', async () => {
    const thought: AgentOutputItem = { type: 'reasoning', id: 'rs_1', content: [] };
    const model = new ScriptedModel([
      modelResponse([thought, functionCall('launch', {}, { callId: 'c1' }), assistantMessage('I tried.')]),
      modelResponse([assistantMessage('Done.')]),
    ]);
    const { finalOutput } = await runner.run(agentOn(mendModel(model)), 'Go.');
    expect(finalOutput).toBe('Done.');
    const asked = model.lastCall?.request.input as AgentInputItem[];
    expect(asked.map(({ type }) => type)).toEqual([
      'message',
      'reasoning',
      'function_call',
      'message',
      'function_call_result',
    ]);
  });

  it('reads no calls in text if the response must be JSON, or calls are disabled', async () => {
    const words = '{"name": "read_file", "arguments": {"path": "a.ts"}}';
    const call = new ScriptedModel([
      modelResponse([assistantMessage(words)]),
      modelResponse([assistantMessage('Done.')]),
    ]);
    expect((await runner.run(agentOn(mendModel(call)), 'Go.')).finalOutput).toBe('Done.');
    expect(noted.splice(0)).toEqual([{ path: 'a.ts' }]);
    const outputType = z.object({ name: z.string(), arguments: z.object({ path: z.string() }) });
    for (const setting of [{ outputType }, { modelSettings: { toolChoice: 'none' as const } }]) {
      const model = mendModel(new ScriptedModel([modelResponse([assistantMessage(words)])]));
      const agent = new Agent({ name: 'Files', model, tools: [readFile], ...setting } as ConstructorParameters<
        typeof Agent
      >[0]);
      const { finalOutput } = await runner.run(agent, 'Go.');
      expect(typeof finalOutput === 'string' ? JSON.parse(finalOutput) : finalOutput).toEqual(JSON.parse(words));
    }
    expect(noted).toEqual([]);
  });

  it('does not throw for calls without an id or a name', async () => {
    const odd = { type: 'function_call', name: 'read_file', arguments: '{"path": "a.ts"}' };
    const nameless = { type: 'function_call', callId: 'c1', arguments: '{}' };
    const model = {
      ...new ScriptedModel(),
      turns: [[odd, nameless], [assistantMessage('Done.')]],
      async getResponse() {
        return { usage, output: this.turns.shift() } as never;
      },
      getStreamedResponse: () => {
        throw new Error('not asked');
      },
    };
    const { finalOutput } = await runner.run(agentOn(mendModel(model)), 'Go.');
    expect(finalOutput).toBe('Done.');
    expect(noted).toEqual([{ path: 'a.ts' }]);
  });

  it('stops after the configured number of retries', async () => {
    const model = new ScriptedModel([modelResponse([functionCall('launch', {}, { callId: 'c1' })])]);
    const { finalOutput } = await runner.run(agentOn(mendModel(model, { retries: 0 })), 'Go.');
    expect(finalOutput).toContain("Nothing was run: the response had a call to 'launch' that can't run.");
    expect(model.calls).toHaveLength(1);
  });

  it('reports the decision for every call', async () => {
    const heard: string[] = [];
    const model = new ScriptedModel([
      modelResponse([functionCall('launch', {}, { callId: 'c1' })]),
      modelResponse([functionCall('ReadFile', "{path: 'a.ts'}", { callId: 'c2' })]),
      modelResponse([assistantMessage('Done.')]),
    ]);
    const onCall = ({ outcome }: { outcome: { name: string; status: string } }) =>
      heard.push(`${outcome.name} ${outcome.status}`);
    const result = await runner.run(agentOn(mendModel(model, { onCall })), 'Go.', { stream: true });
    await result.completed;
    expect(heard).toEqual(['launch invalid', 'read_file mended']);
  });

  it("passes the provider's errors on to the SDK", async () => {
    const server = await serve([{ error: { message: 'no such model', status: 400 } }]);
    const provider = new OpenAIProvider({ apiKey: 'none', baseURL: `${server.url}/v1`, useResponses: false });
    const failing = new Runner({ modelProvider: mendProvider(provider), tracingDisabled: true });
    await expect(failing.run(new Agent({ name: 'Files', model: 'm' }), 'Go.')).rejects.toThrow('no such model');
  });
});

const question: ModelRequest = {
  input: 'Go.',
  modelSettings: {},
  tools: [],
  handoffs: [],
  tracing: false,
  outputType: 'text',
};
const { usage } = await new ScriptedModel([modelResponse([])]).getResponse(question);
