import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { concat } from '@langchain/core/utils/stream';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type CheckedCall, type MendOptions, mendModel } from '../../src/adapter/langchain/index.ts';
import { type ScriptedServer, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';
import { calls, delta, done, entry } from '../provider/fixtures/openai-chat/streams.ts';
import { type WireName, wires } from './langchain-run.ts';

const tools = [
  {
    name: 'write_file',
    description: 'Writes a file',
    schema: z.object({ path: z.string(), content: z.string(), lines: z.number().optional() }),
  },
  { name: 'now', description: 'Tells the time', schema: z.object({}) },
];
const servers: ScriptedServer[] = [];
const serve = async (turn: ServedTurn, wire: WireName = 'OpenAI Chat', settings: { streaming?: boolean } = {}) => {
  const server = await serveScripted([turn, turn]);
  servers.push(server);
  return wires[wire](server.url, settings);
};
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
// The framework warns on the console of every call that it can't read.
beforeAll(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

const write = (args: string, more: object = {}): ServedTurn => ({
  text: 'I write.',
  calls: [{ name: 'write_file', arguments: args }],
  chunk: 5,
  ...more,
});

/** All chunks of an answer, and what they come to. */
async function streamed(stream: Promise<AsyncIterable<AIMessageChunk>>) {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await stream) chunks.push(chunk);
  const [first, ...rest] = chunks;
  if (!first) throw new Error('nothing came');
  return { chunks, whole: rest.reduce((one, other) => concat(one, other), first) };
}

const bound = async (turn: ServedTurn, wire?: WireName, options: MendOptions = {}) =>
  mendModel(await serve(turn, wire), options).bindTools(tools);
const said = ({ tool_calls: good, invalid_tool_calls: bad }: AIMessage | AIMessageChunk) => ({
  good: (good ?? []).map(({ name, args }) => [name, args]),
  bad: (bad ?? []).map(({ name, args }) => [name, args]),
});

describe.each(Object.keys(wires) as WireName[])('mendModel over %s', (wire) => {
  it('mends complete responses', async () => {
    const model = await bound(write('{"path": "a.ts", "content": "x", "lines": "5"}'), wire);
    const message = await model.invoke('Go on.');
    expect(said(message)).toEqual({ good: [['write_file', { path: 'a.ts', content: 'x', lines: 5 }]], bad: [] });
    expect(message.text).toBe('I write.');
  });

  it('mends streams: the chunks add up to the mended arguments', async () => {
    const model = await bound(write("{\"path\": \"src/a/long/name.ts\", 'content': 'x', lines: '5',}"), wire);
    const { chunks, whole } = await streamed(model.stream('Go on.'));
    expect(said(whole)).toEqual({
      good: [['write_file', { path: 'src/a/long/name.ts', content: 'x', lines: 5 }]],
      bad: [],
    });
    expect(whole.text).toBe('I write.');
    const text = chunks.flatMap((chunk) => chunk.tool_call_chunks ?? []).map(({ args }) => args ?? '');
    expect(JSON.parse(text.join(''))).toEqual({ path: 'src/a/long/name.ts', content: 'x', lines: 5 });
    expect(text.filter(Boolean).length).toBeGreaterThan(2);
  });

  it('passes valid streams on unchanged, with all other fields', async () => {
    const turn = write('{"path": "a.ts", "content": "x"}', { usage: { input: 5, output: 7 } });
    const inner = await serve(turn, wire);
    const bare = await streamed(inner.bindTools(tools).stream('Go on.'));
    const mended = await streamed(mendModel(inner).bindTools(tools).stream('Go on.'));
    const seen = ({ whole }: typeof bare) => ({ ...said(whole), text: whole.text, usage: whole.usage_metadata });
    expect(seen(mended)).toEqual(seen(bare));
    expect(Object.keys(mended.whole.response_metadata)).toEqual(
      expect.arrayContaining(Object.keys(bare.whole.response_metadata)),
    );
    const pieces = ({ chunks }: typeof bare) => chunks.map(({ text }) => text).filter(Boolean);
    expect(pieces(mended)).toEqual(pieces(bare));
  });

  it('C2 drops a truncated call, however it arrives', async () => {
    const args = '{"path": "a.ts", "content": "the first half of';
    const turn = write(args, { finish: 'length' });
    const inner = await serve(turn, wire);
    const bare = await streamed(inner.bindTools(tools).stream('Go on.'));
    expect(said(bare.whole).good).toEqual([['write_file', { path: 'a.ts', content: 'the first half of' }]]);
    const { whole } = await streamed(mendModel(inner).bindTools(tools).stream('Go on.'));
    expect(said(whole)).toEqual({ good: [], bad: [['write_file', args]] });
    expect(whole.invalid_tool_calls?.[0]?.error).toContain('cut off by the output token limit');
  });

  it('reads calls in text, and reports every call', async () => {
    const heard: CheckedCall[] = [];
    const text =
      'I write.\n<tool_call>\n{"name": "write-file", "arguments": {"path": "a.ts", "content": "x"}}\n</tool_call>';
    const model = await bound({ text, chunk: 5 }, wire, { onCall: (call) => heard.push(call) });
    const { whole } = await streamed(model.stream('Go on.'));
    expect(said(whole).good).toEqual([['write_file', { path: 'a.ts', content: 'x' }]]);
    expect(whole.text.trim()).toBe('I write.');
    expect(heard.map(({ outcome }) => outcome.status)).toEqual(['mended']);
  });

  it('leaves a response without tools unchanged', async () => {
    const text = 'So: <tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>';
    const { whole } = await streamed(mendModel(await serve({ text, chunk: 5 }, wire)).stream('Go on.'));
    expect(whole.text).toBe(text);
  });
});

describe('mendModel', () => {
  it('C7 separates calls that all have index 0, which are merged without it', async () => {
    const raw = [
      delta({ role: 'assistant', content: '' }),
      calls(entry(0, 'a', 'write_file', '{"path": "a.ts",')),
      calls(entry(0, undefined, undefined, ' "content": "x"}')),
      calls(entry(0, 'b', 'now', '')),
      calls(entry(0, undefined, undefined, '{}')),
      done,
    ];
    const inner = await serve({ raw, headers: { 'content-type': 'text/event-stream' } });
    const bare = await streamed(inner.bindTools(tools).stream('Go on.'));
    const good = [
      ['write_file', { path: 'a.ts', content: 'x' }],
      ['now', {}],
    ];
    expect(said(bare.whole).good).not.toEqual(good);
    const { whole } = await streamed(mendModel(inner).bindTools(tools).stream('Go on.'));
    expect(said(whole)).toEqual({ good, bad: [] });
  });

  it('C8 calls a tool without parameters with nothing, complete or streamed', async () => {
    const model = await bound({ calls: [{ name: 'now', arguments: '' }] });
    expect(said(await model.invoke('Go on.')).good).toEqual([['now', {}]]);
    expect(said((await streamed(model.stream('Go on.'))).whole).good).toEqual([['now', {}]]);
  });

  it('keeps a readable call that fails its check, for the tool to refuse', async () => {
    const model = await bound(write('{"path": 5}'));
    expect(said(await model.invoke('Go on.'))).toEqual({ good: [['write_file', { path: 5 }]], bad: [] });
  });

  it('refuses two values for one key, where the framework uses the last', async () => {
    const args = '{"path": "a.ts", "path": "b.ts", "content": "x"}';
    const inner = await serve(write(args));
    expect(said(await inner.bindTools(tools).invoke('Go on.')).good).toHaveLength(1);
    expect(said(await mendModel(inner).bindTools(tools).invoke('Go on.'))).toEqual({
      good: [],
      bad: [['write_file', args]],
    });
  });

  it('guard: returns structured output that is right unchanged', async () => {
    const turn: ServedTurn = { calls: [{ name: 'extract', arguments: '{"city": "Rome"}' }] };
    const model = mendModel(await serve(turn));
    const reads = model.withStructuredOutput(z.object({ city: z.string() }), { method: 'functionCalling' });
    expect(await reads.invoke('Go on.')).toEqual({ city: 'Rome' });
  });

  it('reports mended chunks to the listeners of a model that streams internally', async () => {
    const inner = await serve(write("{path: 'a.ts', content: 'x'}"), 'OpenAI Chat', { streaming: true });
    const heard: string[] = [];
    const model = mendModel(inner).bindTools(tools);
    const callbacks = [{ handleLLMNewToken: (token: string) => void heard.push(token) }];
    const message = await model.invoke('Go on.', { callbacks });
    expect(said(message).good).toEqual([['write_file', { path: 'a.ts', content: 'x' }]]);
    expect(heard.join('')).toBe('I write.');
  });

  it('F1 throws if a stream breaks, and returns no complete call from it', async () => {
    const model = await bound({ ...(write('{"path": "a.ts", "content": "x"}') as object), truncateAfter: 1500 });
    const heard: AIMessageChunk[] = [];
    const listen = async () => {
      for await (const chunk of await model.stream('Go on.')) heard.push(chunk);
    };
    await expect(listen()).rejects.toThrow();
    expect('I write.').toContain(heard.map(({ text }) => text).join(''));
    const args = heard.flatMap((chunk) => chunk.tool_call_chunks ?? []).map((piece) => piece.args ?? '');
    expect(args.join('')).not.toMatch(/\}$/);
  });

  it("leaves the provider's own tools alone", async () => {
    const own = { type: 'web_search', name: 'web_search' };
    const model = mendModel(await serve({ calls: [{ name: 'web_search', arguments: '{"q": "x"}' }] }));
    const message = await model.bindTools([...tools, own]).invoke('Go on.');
    expect(said(message)).toEqual({ good: [['web_search', { q: 'x' }]], bad: [] });
  });
});
