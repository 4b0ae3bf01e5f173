/** F27 The frameworks' own approvals: what a person was shown is what runs, and what was refused never does. */
import { createOpenAI } from '@ai-sdk/openai';
import { Command, MemorySaver } from '@langchain/langgraph';
import { Agent, tool as agentTool, OpenAIProvider, Runner, RunState } from '@openai/agents';
import { tool as aiTool, generateText, isStepCount, type ModelMessage, streamText, wrapLanguageModel } from 'ai';
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool as langChainTool } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fromAiTools, mendMiddleware as mendAiSdk, toAiTools } from '../../src/adapter/ai-sdk/index.ts';
import { mendMiddleware as mendLangChain } from '../../src/adapter/langchain/index.ts';
import { mendProvider, toAgentTools } from '../../src/adapter/openai-agents/index.ts';
import { permissions } from '../../src/execute/permission-rules.ts';
import { type ScriptedServer, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';
import { invoke } from '../../src/run/invoke/invoke.ts';
import { tool as ownTool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { wires } from './langchain-run.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
const serving = async (turns: readonly ServedTurn[]): Promise<string> => {
  const server = await serveScripted(turns);
  servers.push(server);
  return server.url;
};

type Answer = 'approve' | 'reject';
interface Asked {
  /** What the person was shown. */
  readonly shown: readonly unknown[];
  /** What the function that decides whether to ask was given. */
  readonly judged: readonly unknown[];
  readonly ran: readonly unknown[];
}

const schema = z.object({ path: z.string(), lines: z.array(z.number()).optional(), force: z.boolean().optional() });
const calling = (text: string): ServedTurn => ({ calls: [{ name: 'write_file', arguments: text }] });

type Play = (turns: readonly ServedTurn[], answer: Answer, stream: boolean) => Promise<Asked>;

const onAiSdk: Play = async (turns, answer, stream) => {
  const [ran, judged]: [unknown[], unknown[]] = [[], []];
  const write_file = aiTool({
    description: 'Writes a file',
    inputSchema: schema,
    needsApproval: (input: unknown) => judged.push(input) > 0,
    execute: (input: unknown) => `${ran.push(input)}`,
  });
  const own = createOpenAI({ baseURL: `${await serving(turns)}/v1`, apiKey: 'k' }).chat('m');
  const model = wrapLanguageModel({ model: own, middleware: mendAiSdk() });
  const ask = async (messages: ModelMessage[]) => {
    const asked = { model, tools: { write_file }, messages, maxRetries: 0, stopWhen: isStepCount(3) };
    const result = stream ? streamText({ ...asked, onError: () => {} }) : await generateText(asked);
    return { content: await result.content, messages: [...messages, ...(await result.responseMessages)] };
  };
  const first = await ask([{ role: 'user', content: 'Go.' }]);
  const requests = first.content.filter((part) => part.type === 'tool-approval-request');
  const responses = requests.map(({ approvalId }) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved: answer === 'approve',
  }));
  if (responses.length > 0) await ask([...first.messages, { role: 'tool', content: responses }]);
  return { shown: requests.map(({ toolCall }) => toolCall.input), judged, ran };
};

const approval = (): AgentMiddleware =>
  humanInTheLoopMiddleware({ interruptOn: { write_file: true } } as never) as unknown as AgentMiddleware;

const onLangChain =
  (first: 'mending' | 'asking'): Play =>
  async (turns, answer, stream) => {
    const ran: unknown[] = [];
    const write = langChainTool((input: unknown) => `${ran.push(input)}`, {
      name: 'write_file',
      description: 'Writes a file',
      schema,
    });
    const middleware = first === 'mending' ? [mendLangChain(), approval()] : [approval(), mendLangChain()];
    const model = wires['OpenAI Chat'](await serving(turns), { streaming: stream });
    const agent = createAgent({ model, tools: [write], middleware, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    const state = (await agent.invoke({ messages: [{ role: 'user', content: 'Go.' }] }, config)) as {
      __interrupt__?: { value: { actionRequests: { args: unknown }[] } }[];
    };
    const shown = state.__interrupt__?.flatMap(({ value }) => value.actionRequests.map(({ args }) => args)) ?? [];
    const decisions = shown.map(() => (answer === 'approve' ? { type: 'approve' } : { type: 'reject', message: 'no' }));
    if (shown.length > 0) await agent.invoke(new Command({ resume: { decisions } }), config);
    return { shown, judged: shown, ran };
  };

const onAgents =
  (responses: boolean, kept: boolean): Play =>
  async (turns, answer, stream) => {
    const [ran, judged]: [unknown[], unknown[]] = [[], []];
    const write = agentTool({
      name: 'write_file',
      description: 'Writes a file',
      strict: false,
      parameters: JSON.parse(JSON.stringify(z.toJSONSchema(schema))),
      needsApproval: async (_: unknown, input: unknown) => judged.push(input) > 0,
      execute: (input: unknown) => `${ran.push(input)}`,
    });
    const bare = new OpenAIProvider({ apiKey: 'k', baseURL: `${await serving(turns)}/v1`, useResponses: responses });
    const runner = new Runner({ modelProvider: mendProvider(bare), tracingDisabled: true });
    const agent = new Agent({ name: 'Files', model: 'm', tools: [write] });
    const run = async (input: never) => {
      if (!stream) return runner.run(agent, input);
      const result = await runner.run(agent, input, { stream: true });
      for await (const _ of result);
      await result.completed;
      return result;
    };
    const asked = await run('Go.' as never);
    const shown = asked.interruptions.map(({ rawItem }) => JSON.parse((rawItem as { arguments: string }).arguments));
    const state = kept ? await RunState.fromString(agent, asked.state.toString()) : asked.state;
    for (const one of state.getInterruptions()) state[answer](one);
    if (shown.length > 0) await run(state as never);
    return { shown, judged, ran };
  };

const frameworks: readonly [string, Play][] = [
  ['AI SDK', onAiSdk],
  ['LangChain, mending first', onLangChain('mending')],
  ['LangChain, asking first', onLangChain('asking')],
  ['OpenAI Agents, Chat', onAgents(false, false)],
  ['OpenAI Agents, Responses', onAgents(true, false)],
  ['OpenAI Agents, from a kept state', onAgents(false, true)],
];

const mended: readonly [string, string, unknown][] = [
  ['punctuation', "{path: 'a.ts',}", { path: 'a.ts' }],
  ['a list as text', '{"path": "a.ts", "lines": "[1, 2]"}', { path: 'a.ts', lines: [1, 2] }],
  ['a key of other spelling', '{"Path": "/etc/passwd"}', { path: '/etc/passwd' }],
  ['a wrapper', '{"arguments": {"path": "a.ts", "force": "true"}}', { path: 'a.ts', force: true }],
  ['as it stands', '{"path": "a.ts"}', { path: 'a.ts' }],
];

/** What held before, but for LangChain's checkpoints of streams. */
const scenes = frameworks.flatMap(([title, play]) =>
  [false, true].map((stream) => {
    const name = `${title}, ${stream ? 'streamed' : 'whole'}`;
    return [stream && title.startsWith('LangChain') ? `F27 ${name}` : `guard: ${name}`, play, stream] as const;
  }),
);

describe.each(scenes)('%s', (_, play, stream) => {
  it.each(mended)('%s: mends what is shown, and runs exactly that', async (_title, text, value) => {
    const { shown, judged, ran } = await play([calling(text), 'Done.'], 'approve', stream);
    expect(shown).toEqual([value]);
    expect(ran).toEqual([value]);
    for (const one of judged) expect(one).toEqual(value);
  });

  it.each(mended)('%s: does not run what was refused', async (_title, text, value) => {
    const { shown, ran } = await play([calling(text), 'Done.'], 'reject', stream);
    expect([shown, ran]).toEqual([[value], []]);
  });

  it('guard: never runs the bad one of two calls, whatever the decision', async () => {
    const two: ServedTurn = {
      calls: [
        { name: 'write_file', arguments: '{"path": "a.ts"}' },
        { name: 'write_file', arguments: '{"lines": [1]}' },
      ],
    };
    const { shown, ran } = await play([two, 'Done.', 'Done.', 'Done.'], 'approve', stream);
    // LangChain asks about bad calls too: there a person may edit them.
    expect(shown[0]).toEqual({ path: 'a.ts' });
    expect(ran).toEqual([{ path: 'a.ts' }]);
  });
});

describe('F27 tools from a framework', () => {
  it('of the AI SDK that need an approval do not run without one', async () => {
    const ran: unknown[] = [];
    const execute = (input: unknown): string => `${ran.push(input)}`;
    const made = (needsApproval: unknown) =>
      aiTool({ description: 'Writes', inputSchema: schema, needsApproval, execute } as never);
    const toolbox = await fromAiTools({
      always: made(true),
      asks: made(({ path }: { path: string }) => path.startsWith('/')),
      free: made(false),
      fails: made(() => {
        throw new Error('no rules');
      }),
    });
    const run = async (name: string, path: string) =>
      (await invoke({ id: 'c', name, arguments: { path } }, { toolbox })).value?.ok;
    expect(await run('always', 'a')).toBe(false);
    expect(await run('asks', '/etc')).toBe(false);
    expect(await run('fails', 'a')).toBe(false);
    expect(ran).toEqual([]);
    expect([await run('asks', 'a'), await run('free', 'b')]).toEqual([true, true]);
    expect(ran).toEqual([{ path: 'a' }, { path: 'b' }]);
  });
});

describe('F27 tools of a toolbox in a framework', () => {
  const scene = () => {
    const ran: unknown[] = [];
    const toolbox = new Toolbox([
      ownTool({
        name: 'write_file',
        description: 'Writes a file',
        inputSchema: schema,
        execute: (input: unknown) => `${ran.push(input)}`,
      }),
    ]);
    return { ran, toolbox, rules: permissions({ mode: 'ask' }) };
  };

  it.each([
    ['guard: as it stands', '{"path": "a.ts", "lines": [1]}', [{ path: 'a.ts', lines: [1] }]],
    ['with a list as text', '{"path": "a.ts", "lines": "[1]"}', []],
    ['with a key of other spelling', '{"Path": "a.ts"}', []],
  ])('%s: a call in OpenAI Agents runs only as it was shown', async (_, text, expected) => {
    const { ran, toolbox, rules } = scene();
    const bare = new OpenAIProvider({
      apiKey: 'k',
      useResponses: false,
      baseURL: `${await serving([calling(text), 'Done.'])}/v1`,
    });
    const runner = new Runner({ modelProvider: bare, tracingDisabled: true });
    const agent = new Agent({ name: 'Files', model: 'm', tools: toAgentTools(toolbox, { permissions: rules }) });
    const asked = await runner.run(agent, 'Go.');
    expect([asked.interruptions.length, ran]).toEqual([1, []]);
    for (const one of asked.interruptions) asked.state.approve(one);
    await runner.run(agent, asked.state);
    expect(ran).toEqual(expected);
  });

  it('guard: AI SDK: a call that needs approval does not run', async () => {
    const { ran, toolbox, rules } = scene();
    const own = createOpenAI({ baseURL: `${await serving([calling('{"path": "a"}'), 'Done.'])}/v1`, apiKey: 'k' });
    const tools = toAiTools(toolbox, { permissions: rules });
    await generateText({ model: own.chat('m'), tools, prompt: 'Go.', maxRetries: 0, stopWhen: isStepCount(3) });
    expect(ran).toEqual([]);
  });
});

describe.each(['approve', 'edit'] as const)('guard: LangChain, from a checkpoint of a stream: %s', (type) => {
  it.each([
    ['cut off', '{"path": "a.ts", "lines": [1', 'length'],
    ['without a field', '{"lines": [1]}', 'tool_calls'],
  ] as const)('a call %s is not revived', async (_, text, finish) => {
    const ran: unknown[] = [];
    const write = langChainTool((input: unknown) => `${ran.push(input)}`, {
      name: 'write_file',
      description: 'Writes a file',
      schema,
    });
    const model = wires['OpenAI Chat'](
      await serving([{ ...(calling(text) as object), finish } as ServedTurn, 'Done.']),
      {
        streaming: true,
      },
    );
    const middleware = [mendLangChain(), approval()];
    const agent = createAgent({ model, tools: [write], middleware, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: '1' } };
    const state = (await agent.invoke({ messages: [{ role: 'user', content: 'Go.' }] }, config)) as object;
    if ('__interrupt__' in state) {
      const editedAction = { name: 'write_file', args: { path: 'b.ts' } };
      const decisions = [type === 'approve' ? { type } : { type, editedAction }];
      await agent.invoke(new Command({ resume: { decisions } }), config);
    }
    // What a person writes runs as it was written, exactly.
    expect(ran).toEqual(type === 'edit' && '__interrupt__' in state ? [{ path: 'b.ts' }] : []);
  });
});
