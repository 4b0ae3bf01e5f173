/** F27 LangChain's own approvals beside tools of a toolbox, on a model whose calls nobody mended before they were shown. */
import { Command, MemorySaver } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
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
  const made = (name: string) => tool({ name, description: 'Writes a file', input: schema, run });
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

describe('F27 LangChain: a call that a person allowed runs only as it was shown', () => {
  it.each(inferred)('%s', async (_, text) => {
    const { ran, told } = await play([text], [asking]);
    expect(ran).toEqual([]);
    expect(told.join()).toContain('Parameter validation failed');
  });

  it('written anew by a person, badly', async () => {
    const editedAction = { name: 'write_file', args: { Path: 'b.ts' } };
    expect((await play(['{"path": "a.ts"}'], [asking], { decision: { type: 'edit', editedAction } })).ran).toEqual([]);
  });
});

describe('guard: LangChain: calls that run', () => {
  const mended = [{ path: 'a.ts', lines: [1] }];
  const bad = '{"path": "a.ts", "lines": "[1]"}';

  it('as it stands, allowed', async () => {
    expect((await play(['{"path": "a.ts", "lines": [1]}'], [asking])).ran).toEqual(mended);
  });

  it('mended, with nobody asked', async () => {
    expect((await play([bad], [])).ran).toEqual(mended);
  });

  it('mended before it was shown', async () => {
    expect((await play([bad], [mendMiddleware(), asking])).ran).toEqual(mended);
  });

  it('mended, after another call was allowed', async () => {
    const names = ['write_file', 'add_file'];
    expect((await play(['{"path": "b.ts"}', bad], [asking], { names })).ran).toEqual([{ path: 'b.ts' }, ...mended]);
  });

  it('as a person wrote it anew', async () => {
    const editedAction = { name: 'write_file', args: { path: 'b.ts' } };
    const { ran } = await play(['{"Path": "a.ts"}'], [asking], { decision: { type: 'edit', editedAction } });
    expect(ran).toEqual([{ path: 'b.ts' }]);
  });

  it('mended, at a graph without checkpoints', async () => {
    const { ran, model, tools } = await stage([bad]);
    await createReactAgent({ llm: model as never, tools }).invoke(begin);
    expect(ran).toEqual(mended);
  });
});
