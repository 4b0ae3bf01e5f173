/** Loops with the providers' own SDKs, at a scripted server: what a user writes, typed and run. */
import Anthropic from '@anthropic-ai/sdk';
import { type Content, GoogleGenAI } from '@google/genai';
import { Ollama, type Message as OllamaMessage } from 'ollama';
import OpenAI from 'openai';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  mendToolCalls,
  toAnthropicTools,
  toGeminiTools,
  toOllamaTools,
  toOpenAIResponsesTools,
  toOpenAITools,
} from '../../src/adapter/sdk/index.ts';
import { mend } from '../../src/mend/mend.ts';
import type { GoodOutcome, Outcome } from '../../src/mend/outcome.ts';
import type { ServedTurn } from '../../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/server.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';

const readFile = tool({
  name: 'read_file',
  description: 'Reads a file',
  inputSchema: z.object({ path: z.string(), limit: z.number().int().optional() }),
  effect: 'read',
});
const move = tool({
  name: 'move',
  description: 'Moves a file',
  inputSchema: {
    type: 'object',
    properties: { from: { type: 'string' }, to: { type: 'string' } },
    required: ['from', 'to'],
  },
});
const toolbox = new Toolbox([readFile, move]);
type Tools = typeof readFile | typeof move;

const run = (call: GoodOutcome<Tools>): unknown =>
  call.name === 'read_file' ? `${call.value.path}: ${call.value.limit ?? 'all'}` : { moved: call.value.to };

/** A response with a call to mend, one to refuse and one that is fine; then words. */
const asText: ServedTurn[] = [
  {
    text: 'I look.',
    calls: [
      { id: 'call_1', name: 'ReadFile', arguments: "{path: 'a.ts', limit: '5',}" },
      { id: 'call_2', name: 'move', arguments: '{"from": "a"}' },
      { id: 'call_3', name: 'move', arguments: '{"from": "a", "to": "b"}' },
    ],
  },
  'Done.',
];
const values = [{ path: 'a.ts', limit: '5' }, { from: 'a' }, { from: 'a', to: 'b' }];
const asValues: ServedTurn[] = [
  {
    text: 'I look.',
    calls: ['ReadFile', 'move', 'move'].map((name, at) => ({ id: `call_${at + 1}`, name, arguments: values[at] })),
  },
  'Done.',
];

const summary = ({ status, name, input }: Outcome): unknown => [status, name, input];
const expected = [
  ['mended', 'read_file', { path: 'a.ts', limit: 5 }],
  ['invalid', 'move', { from: 'a' }],
  ['ok', 'move', { from: 'a', to: 'b' }],
];

/** What the model gets back: each call in its place, and a result for each. */
function checkHistory(server: ScriptedServer): void {
  const parts = server.requests[1]?.question?.messages.flatMap((message) => [...message.parts]) ?? [];
  const calls = parts.flatMap((part) => (part.type === 'call' ? [part] : []));
  const read = (args: unknown): unknown => (typeof args === 'string' ? JSON.parse(args) : args);
  expect(calls.map(({ name, arguments: args }) => [name, read(args)])).toEqual([
    ['read_file', { path: 'a.ts', limit: 5 }],
    ['move', { from: 'a' }],
    ['move', { from: 'a', to: 'b' }],
  ]);
  const results = parts.flatMap((part) => (part.type === 'result' ? [part] : []));
  expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
  const said = results.map(({ content }) => content.map((one) => ('text' in one ? one.text : '')).join(''));
  expect(said[0]).toBe('a.ts: 5');
  expect(said[1]).toContain("Field 'to' is required but missing");
  expect(said[2]).toMatch(/\{"moved":"b"\}|^b$/);
  expect(parts.some((part) => part.type === 'text' && part.text === 'I look.')).toBe(true);
}

let server: ScriptedServer;
afterEach(() => server?.close());

describe('openai, Chat Completions', () => {
  const loop = async (stream: boolean): Promise<string> => {
    const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read a.ts' }];
    const tools: OpenAI.Chat.ChatCompletionTool[] = toOpenAITools(toolbox);
    for (;;) {
      const params = { model: 'm', messages, tools };
      if (stream) {
        const turn = await mendToolCalls(await client.chat.completions.create({ ...params, stream }), toolbox);
        if (turn.outcomes.length === 0) return turn.text;
        expect(turn.outcomes.map(summary)).toEqual(expected);
        messages.push(...(await turn.reply(run)));
      } else {
        const turn = mendToolCalls(await client.chat.completions.create(params), toolbox, { messages });
        expectTypeOf(turn.outcomes).toEqualTypeOf<readonly Outcome<Tools>[]>();
        if (turn.outcomes.length === 0) return turn.text;
        expect(turn.outcomes.map(summary)).toEqual(expected);
        messages.push(...(await turn.reply(run)));
      }
    }
  };

  it.each([false, true])('mends, refuses and replies (stream: %s)', async (stream) => {
    server = await serveScripted(asText);
    expect(await loop(stream)).toBe('Done.');
    checkHistory(server);
  });

  it('mends the calls that the SDK assembled from a stream', async () => {
    server = await serveScripted(asText);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const params = {
      model: 'm',
      messages: [{ role: 'user' as const, content: 'Read' }],
      tools: toOpenAITools(toolbox),
    };
    const stream = client.chat.completions.stream(params);
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const turn = mendToolCalls(await stream.finalChatCompletion(), toolbox);
    expect(turn.outcomes.map(summary)).toEqual(expected);
    expect(mendToolCalls(chunks, toolbox).outcomes.map(summary)).toEqual(expected);
    const [message] = turn.messages;
    // The SDK's own reading of the arguments is no longer right.
    expect(JSON.stringify(message)).not.toContain('parsed');
  });

  it('gives the messages without results, for loops that add their own', async () => {
    server = await serveScripted(asText);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Read a.ts' }];
    const response = await client.chat.completions.create({ model: 'm', messages, tools: toOpenAITools(toolbox) });
    const turn = mendToolCalls(response, toolbox);
    messages.push(...turn.messages);
    for (const outcome of turn.outcomes)
      if (outcome.status !== 'invalid')
        messages.push({ role: 'tool', tool_call_id: outcome.raw.id ?? '', content: JSON.stringify(outcome.input) });
    expect(messages.map((message) => ('tool_call_id' in message ? message.tool_call_id : message.role))).toEqual([
      'user',
      'assistant',
      'call_2',
      'call_1',
      'call_3',
    ]);
  });

  it('takes one call as it is, and a list of tools', async () => {
    server = await serveScripted(asText);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const { choices } = await client.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'Read' }],
      tools: toOpenAITools([readFile, move]),
    });
    const outcomes = (choices[0]?.message.tool_calls ?? []).map((call) => mend(call, [readFile, move]));
    expectTypeOf(outcomes).toEqualTypeOf<Outcome<Tools>[]>();
    expect(outcomes.map(summary)).toEqual(expected);
    expect(outcomes.map(({ raw }) => raw.id)).toEqual(['call_1', 'call_2', 'call_3']);
  });
});

describe('openai, Responses', () => {
  it.each([false, true])('mends, refuses and replies (stream: %s)', async (stream) => {
    server = await serveScripted(asText);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'Read a.ts' }];
    const tools: OpenAI.Responses.Tool[] = toOpenAIResponsesTools(toolbox);
    let said = '';
    while (said === '') {
      const params = { model: 'm', input, tools };
      const turn = stream
        ? await mendToolCalls(await client.responses.create({ ...params, stream }), toolbox)
        : mendToolCalls(await client.responses.create(params), toolbox, { messages: input });
      if (turn.outcomes.length > 0) expect(turn.outcomes.map(summary)).toEqual(expected);
      else said = turn.text;
      input.push(...(await turn.reply(run)));
    }
    expect(said).toBe('Done.');
    checkHistory(server);
  });

  it('takes one call as it is', async () => {
    server = await serveScripted(asText);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${server.url}/v1`, maxRetries: 0 });
    const { output } = await client.responses.create({ model: 'm', input: 'Read', tools: [] });
    const calls = output.filter((item) => item.type === 'function_call');
    const outcomes = calls.map((call) => mend(call, toolbox));
    expect(outcomes.map(summary)).toEqual(expected);
    expect(outcomes[0]?.raw.id).toBe('call_1');
  });
});

describe('@anthropic-ai/sdk', () => {
  it.each([false, true])('mends, refuses and replies (stream: %s)', async (stream) => {
    server = await serveScripted(asValues);
    const client = new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Read a.ts' }];
    const tools: Anthropic.ToolUnion[] = toAnthropicTools(toolbox);
    let said = '';
    while (said === '') {
      const params = { model: 'm', max_tokens: 1000, messages, tools };
      const turn = stream
        ? await mendToolCalls(await client.messages.create({ ...params, stream }), toolbox)
        : mendToolCalls(await client.messages.create(params), toolbox, { messages });
      if (turn.outcomes.length > 0) expect(turn.outcomes.map(summary)).toEqual(expected);
      else said = turn.text;
      messages.push(...(await turn.reply(run)));
    }
    expect(said).toBe('Done.');
    checkHistory(server);
    expect(JSON.stringify(messages[2])).toContain('"is_error":true');
  });

  it('takes one call as it is, and the events of its helper', async () => {
    server = await serveScripted([...asValues.slice(0, 1), ...asValues]);
    const client = new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
    const params = { model: 'm', max_tokens: 1000, messages: [{ role: 'user' as const, content: 'Read' }] };
    const { content } = await client.messages.create(params);
    const outcomes = content.filter((block) => block.type === 'tool_use').map((call) => mend(call, toolbox));
    expect(outcomes.map(summary)).toEqual(expected);
    const stream = client.messages.stream(params);
    const events: Anthropic.MessageStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const turn = mendToolCalls(events, toolbox);
    expect(turn.outcomes.map(summary)).toEqual(expected);
    const sendable: readonly Anthropic.MessageParam[] = turn.messages;
    expect(sendable).toHaveLength(2);
  });
});

describe('@google/genai', () => {
  it.each([false, true])('mends, refuses and replies (stream: %s)', async (stream) => {
    server = await serveScripted(asValues);
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } });
    const contents: Content[] = [{ role: 'user', parts: [{ text: 'Read a.ts' }] }];
    let said = '';
    while (said === '') {
      const params = { model: 'm', contents, config: { tools: toGeminiTools(toolbox) } };
      const turn = stream
        ? await mendToolCalls(await client.models.generateContentStream(params), toolbox)
        : mendToolCalls(await client.models.generateContent(params), toolbox, { messages: contents });
      if (turn.outcomes.length > 0) expect(turn.outcomes.map(summary)).toEqual(expected);
      else said = turn.text;
      contents.push(...(await turn.reply(run)));
    }
    expect(said).toBe('Done.');
    checkHistory(server);
  });

  it('takes one call as it is', async () => {
    server = await serveScripted(asValues);
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: server.url } });
    const { functionCalls = [] } = await client.models.generateContent({ model: 'm', contents: 'Read' });
    expect(functionCalls.map((call) => mend(call, toolbox)).map(summary)).toEqual(expected);
  });
});

describe('ollama', () => {
  it.each([false, true])('mends, refuses and replies (stream: %s)', async (stream) => {
    server = await serveScripted(asValues);
    const client = new Ollama({ host: server.url });
    const messages: OllamaMessage[] = [{ role: 'user', content: 'Read a.ts' }];
    let said = '';
    while (said === '') {
      const params = { model: 'm', messages, tools: toOllamaTools(toolbox) };
      const turn = stream
        ? await mendToolCalls(await client.chat({ ...params, stream }), toolbox)
        : mendToolCalls(await client.chat(params), toolbox, { messages });
      if (turn.outcomes.length > 0) expect(turn.outcomes.map(summary)).toEqual(expected);
      else said = turn.text;
      messages.push(...(await turn.reply(run)));
    }
    expect(said).toBe('Done.');
    checkHistory(server);
  });

  it('takes one call as it is', async () => {
    server = await serveScripted(asValues);
    const { message } = await new Ollama({ host: server.url }).chat({ model: 'm', messages: [] });
    expect((message.tool_calls ?? []).map((call) => mend(call, toolbox)).map(summary)).toEqual(expected);
  });
});
