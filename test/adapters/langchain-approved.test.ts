/** F27 LangChain's own approvals beside tools of a toolbox, on a model whose calls nobody mended before they were shown. */
import type { AIMessage } from '@langchain/core/messages';
import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent, ToolNode } from '@langchain/langgraph/prebuilt';
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendMiddleware, toLangChainTools } from '../../src/adapter/langchain/index.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/index.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { wires } from './langchain-run.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const schema = z.object({ path: z.string(), lines: z.array(z.number()).optional() });
const asking = humanInTheLoopMiddleware({ interruptOn: { write_file: true } } as never) as unknown as AgentMiddleware;
type Answered = { messages: { type: string; text: string }[] };
const begin = { messages: [{ role: 'user', content: 'Go.' }] };
const config = { configurable: { thread_id: '1' } };

/** A model that calls so, and what its tools ran with. */
async function stage(texts: readonly string[], names: readonly string[] = []) {
  const ran: unknown[] = [];
  const run = (input: unknown) => `${ran.push(input)}`;
  const made = (name: string) => tool({ name, description: 'Writes a file', inputSchema: schema, execute: run });
  const toolbox = new Toolbox([made('write_file'), made('add_file')]);
  const answers = texts.map((text, at) => ({ calls: [{ name: names[at] ?? 'write_file', arguments: text }] }));
  const server = await serveScripted([...answers, 'Done.']);
  servers.push(server);
  const model = wires['OpenAI Chat'](server.url, { streaming: false });
  return { ran, model, tools: toLangChainTools(toolbox), checkpointer: new MemorySaver() };
}

async function play(
  texts: readonly string[],
  middleware: readonly AgentMiddleware[],
  { decision = { type: 'approve' } as object, names = [] as readonly string[] } = {},
) {
  const { ran, ...made } = await stage(texts, names);
  const agent = createAgent({ ...made, middleware: [...middleware] });
  let state = (await agent.invoke(begin, config)) as unknown as Answered;
  while ('__interrupt__' in state)
    state = (await agent.invoke(new Command({ resume: { decisions: [decision] } }), config)) as unknown as Answered;
  return { ran, told: state.messages.filter(({ type }) => type === 'tool').map((one) => one.text) };
}

const inferred: readonly [string, string][] = [
  ['with a list as text', '{"path": "a.ts", "lines": "[1]"}'],
  ['with one item for a list', '{"path": "a.ts", "lines": 1}'],
  ['with a key of other spelling', '{"Path": "a.ts"}'],
  ['in a wrapper', '{"arguments": {"path": "a.ts"}}'],
];

describe('F27 LangChain: an approved call runs only as it was shown', () => {
  it.each(inferred)('%s', async (_, text) => {
    const { ran, told } = await play([text], [asking]);
    expect(ran).toEqual([]);
    expect(told.join()).toContain('Parameter validation failed');
  });

  it("rejects a person's invalid edit", async () => {
    const editedAction = { name: 'write_file', args: { Path: 'b.ts' } };
    expect((await play(['{"path": "a.ts"}'], [asking], { decision: { type: 'edit', editedAction } })).ran).toEqual([]);
  });
});

/** Where a graph may stop for a person, who lets it go on. */
const breakpoints: readonly [string, object][] = [
  ['before its tools', { interruptBefore: ['tools'] }],
  ['behind its model', { interruptAfter: ['agent'] }],
  ['before a step of its own between', { interruptBefore: ['review'] }],
  ['everywhere', { interruptBefore: '*' }],
];

/** A graph of a model, a step of its own and tools; a person lets it go on wherever it stops. */
async function pass(text: string, stops: object, { updates = false } = {}) {
  const { ran, model, tools, checkpointer } = await stage([text]);
  const asked = (model as unknown as { bindTools(tools: unknown): RunnableLike }).bindTools(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [(await asked.invoke(messages)) as AIMessage] }))
    .addNode('review', () => ({}))
    .addNode('tools', new ToolNode(tools))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) =>
      (messages.at(-1) as AIMessage).tool_calls?.length ? 'review' : END,
    )
    .addEdge('review', 'tools')
    .addEdge('tools', 'agent')
    .compile({ checkpointer });
  await graph.invoke(begin, { ...config, ...stops });
  let stopped = 0;
  while ((await graph.getState(config)).next.length > 0) {
    stopped += 1;
    if (updates) await graph.updateState(config, {});
    await graph.invoke(null, { ...config, ...stops });
  }
  const { messages } = (await graph.getState(config)).values as Answered;
  return { ran, stopped, told: messages.filter(({ type }) => type === 'tool').map((one) => one.text) };
}
interface RunnableLike {
  invoke(messages: unknown): Promise<unknown>;
}

describe.each(breakpoints)('F27 LangChain: a call shown at a breakpoint %s', (_, stops) => {
  it.each(inferred)('runs only as it was shown: %s', async (_name, text) => {
    const { ran, told, stopped } = await pass(text, stops);
    expect(stopped).toBeGreaterThan(0);
    expect(ran).toEqual([]);
    expect(told.join()).toContain('Parameter validation failed');
  });

  it('guard: unchanged', async () => {
    expect((await pass('{"path": "a.ts", "lines": [1]}', stops)).ran).toEqual([{ path: 'a.ts', lines: [1] }]);
  });
});

describe('F27 LangChain: graphs from the prebuilt agents', () => {
  it.each(inferred)('createReactAgent, before its tools: %s', async (_, text) => {
    const { ran, model, tools, checkpointer } = await stage([text]);
    const graph = createReactAgent({ llm: model as never, tools, checkpointer, interruptBefore: ['tools'] });
    await graph.invoke(begin, config);
    await graph.invoke(null, config);
    expect(ran).toEqual([]);
  });

  it('a breakpoint after which a person changed the state', async () => {
    const [[, text] = ['', '']] = inferred;
    expect((await pass(text, { interruptBefore: ['review'] }, { updates: true })).ran).toEqual([]);
  });
});

describe('guard: LangChain: calls without a breakpoint', () => {
  const bad = '{"path": "a.ts", "lines": "[1]"}';
  it('run mended in a graph with checkpoints', async () => {
    expect((await pass(bad, {})).ran).toEqual([{ path: 'a.ts', lines: [1] }]);
  });

  it('run mended if the graph stopped before the model request', async () => {
    const { ran, stopped } = await pass(bad, { interruptBefore: ['agent'] });
    expect(stopped).toBeGreaterThan(0);
    expect(ran).toEqual([{ path: 'a.ts', lines: [1] }]);
  });
});

describe('guard: LangChain: calls that run', () => {
  const mended = [{ path: 'a.ts', lines: [1] }];
  const bad = '{"path": "a.ts", "lines": "[1]"}';

  it('unchanged, approved', async () => {
    expect((await play(['{"path": "a.ts", "lines": [1]}'], [asking])).ran).toEqual(mended);
  });

  it('mended, without an approval', async () => {
    expect((await play([bad], [])).ran).toEqual(mended);
  });

  it('mended before it was shown', async () => {
    expect((await play([bad], [mendMiddleware(), asking])).ran).toEqual(mended);
  });

  it('mended, after another call was approved', async () => {
    const names = ['write_file', 'add_file'];
    expect((await play(['{"path": "b.ts"}', bad], [asking], { names })).ran).toEqual([{ path: 'b.ts' }, ...mended]);
  });

  it('as a person edited it', async () => {
    const editedAction = { name: 'write_file', args: { path: 'b.ts' } };
    const { ran } = await play(['{"Path": "a.ts"}'], [asking], { decision: { type: 'edit', editedAction } });
    expect(ran).toEqual([{ path: 'b.ts' }]);
  });

  it('mended, in a graph without checkpoints', async () => {
    const { ran, model, tools } = await stage([bad]);
    await createReactAgent({ llm: model as never, tools }).invoke(begin);
    expect(ran).toEqual(mended);
  });
});
