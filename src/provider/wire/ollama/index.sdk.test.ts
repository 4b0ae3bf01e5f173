import { type ChatRequest, type ChatResponse, Ollama } from 'ollama';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { conversations } from '../../../../test/provider/fixtures/ollama/conversations.ts';
import { responses } from '../../../../test/provider/fixtures/ollama/responses.ts';
import { streams } from '../../../../test/provider/fixtures/ollama/streams.ts';
import { loopback, type Played } from '../../../../test/provider/loopback.ts';
import { streamOf } from '../../../../test/provider/wire-suite.ts';
import type { AssistantPart, TurnResponse } from '../../../model/index.ts';
import { ollamaChat } from './index.ts';

async function talk(play: Played, request: ChatRequest) {
  await using server = await loopback();
  server.play(play);
  const client = new Ollama({ host: server.url });
  const chunks: ChatResponse[] = [];
  if (request.stream) for await (const chunk of await client.chat({ ...request, stream: true })) chunks.push(chunk);
  else chunks.push(await client.chat({ ...request, stream: false }));
  return { chunks, seen: server.asked[0] };
}

const question: ChatRequest = { model: 'm', messages: [] };
const whole = (wire: unknown) => talk({ type: 'application/json', body: JSON.stringify(wire) }, question);
const streamed = (body: string) => talk({ type: 'application/x-ndjson', body }, { ...question, stream: true });

describe('S3.6 we write the requests of the SDK, and read them back', () => {
  it.each(Object.entries(conversations))('%s', async (_, { sdk, ours }) => {
    const last = { model: 'm', message: { role: 'assistant', content: '' }, done: true };
    const type = sdk.stream ? 'application/x-ndjson' : 'application/json';
    const { seen } = await talk({ type, body: `${JSON.stringify(last)}\n` }, structuredClone(sdk));
    const { wire, warnings } = ollamaChat.writeRequest(ours);
    expect(seen?.path).toBe(ollamaChat.pathOf(ours));
    expect(seen?.body).toEqual(wire);
    expect(warnings).toEqual([]);
    expect(ollamaChat.readRequest(seen?.body)).toEqual(ours);
  });
});

const answer: TurnResponse = {
  model: 'qwen3',
  message: {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'They ask for two.' },
      { type: 'text', text: 'Let me look: é 🌊' },
      { type: 'call', id: 'a', name: 'get', arguments: { city: 'Lyon', list: [1, { x: null }] } },
      { type: 'call', id: 'b', name: 'now', arguments: {} },
    ],
  },
  finish: 'tool_calls',
  usage: { input: 10, output: 30 },
};

/** What the SDK made of an answer. */
function accumulated(chunks: readonly ChatResponse[]) {
  const last = chunks.at(-1);
  return {
    thoughts: chunks.map(({ message }) => message.thinking ?? '').join(''),
    text: chunks.map(({ message }) => message.content).join(''),
    calls: chunks
      .flatMap(({ message }) => message.tool_calls ?? [])
      .map((call) => ({ name: call.function.name, args: call.function.arguments ?? {} })),
    input: last?.prompt_eval_count,
    output: last?.eval_count,
  };
}

/** The same of an answer of ours. */
function ours({ message: { parts }, usage }: TurnResponse) {
  const words = (type: AssistantPart['type']): string =>
    parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
  const calls = parts.flatMap((part) => (part.type === 'call' ? [{ name: part.name, args: part.arguments }] : []));
  return { thoughts: words('reasoning'), text: words('text'), calls, input: usage?.input, output: usage?.output };
}

describe('S3.7 the SDK reads what we write the same as we do', () => {
  it('a complete response', async () => {
    const { chunks } = await whole(ollamaChat.writeResponse(answer).wire);
    expect(accumulated(chunks)).toEqual(ours(answer));
    expect(chunks[0]).toMatchObject({ model: 'qwen3', done: true, done_reason: 'stop' });
  });

  it('a stream', async () => {
    const { chunks } = await streamed(new TextDecoder().decode(streamOf(ollamaChat, answer)));
    expect(accumulated(chunks)).toEqual(ours(answer));
    expect(chunks.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
  });

  it.each(Object.entries(responses))('recorded response: %s', async (_, wire) => {
    const { chunks } = await whole(wire);
    expect(accumulated(chunks)).toEqual(ours(ollamaChat.readResponse(wire)));
  });

  const finished = Object.entries(streams).filter(
    ([, body]) => decoded(ollamaChat, body).at(-1)?.type === 'turn.finished',
  );
  it.each(finished)('recorded stream: %s', async (name, body) => {
    const { chunks } = await streamed(body);
    const last = decoded(ollamaChat, body).at(-1);
    if (last?.type !== 'turn.finished') throw new Error(`The stream did not end: ${name}`);
    expect(accumulated(chunks)).toEqual(ours(last.response));
  });

  it('an error in the middle of a stream is thrown', async () => {
    const error = { kind: 'server', message: 'Out of memory', retryable: true } as const;
    const body = ollamaChat.writeStream().write({ type: 'turn.failed', error, response: answer });
    await expect(streamed(body)).rejects.toThrow('Out of memory');
  });

  it('an error instead of a response is thrown', async () => {
    const body = JSON.stringify(ollamaChat.writeError({ kind: 'request', message: 'No such model', retryable: false }));
    await expect(talk({ type: 'application/json', status: 404, body }, question)).rejects.toThrow('No such model');
  });
});
