import { type GenerateContentParameters, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { decoded } from '../../../../test/provider/decoded.ts';
import { conversations } from '../../../../test/provider/fixtures/gemini/conversations.ts';
import { responses } from '../../../../test/provider/fixtures/gemini/responses.ts';
import { streams } from '../../../../test/provider/fixtures/gemini/streams.ts';
import { loopback, type Played } from '../../../../test/provider/loopback.ts';
import { streamOf } from '../../../../test/provider/wire-suite.ts';
import type { AssistantPart, TurnResponse } from '../../../model/index.ts';
import { geminiContent } from './index.ts';

const client = (baseUrl: string): GoogleGenAI => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } });

async function talk<T>(play: Played, say: (url: string) => Promise<T>) {
  await using server = await loopback();
  server.play(play);
  const result = await say(server.url);
  return { result, seen: server.asked };
}

async function asked(params: GenerateContentParameters, stream = false) {
  const body = JSON.stringify({ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }] });
  const play: Played = stream
    ? { type: 'text/event-stream', body: `data: ${body}\r\n\r\n` }
    : { type: 'application/json', body };
  const { seen } = await talk(play, async (url) => {
    const { models } = client(url);
    if (!stream) return models.generateContent(params);
    for await (const _ of await models.generateContentStream(params));
    return undefined;
  });
  return seen[0];
}

describe('S3.6 we write the requests of the SDK, and read them back', () => {
  it.each(Object.entries(conversations))('%s', async (_, { sdk, ours }) => {
    const seen = await asked(sdk, ours.stream);
    const { wire, warnings } = geminiContent.writeRequest(ours);
    expect(seen?.path).toBe(geminiContent.pathOf(ours));
    expect(seen?.body).toEqual(wire);
    expect(warnings).toEqual([]);
    const address = { model: ours.model, ...(ours.stream && { stream: true }) };
    expect(geminiContent.readRequest(seen?.body, address)).toEqual(ours);
  });

  it("reads the SDK's short forms, and writes them unchanged", async () => {
    const seen = await asked({
      model: 'gemini-3-flash',
      contents: 'Hi',
      config: {
        systemInstruction: 'Be short.',
        responseSchema: { type: 'object', properties: { a: { type: 'string' } } } as never,
        responseMimeType: 'application/json',
        tools: [
          { functionDeclarations: [{ name: 'f', parameters: { type: 'object' } as never }] },
          { googleSearch: {} },
        ],
      },
    });
    const request = geminiContent.readRequest(seen?.body, { model: 'gemini-3-flash' });
    expect(request).toMatchObject({
      messages: [
        { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
        { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      ],
      tools: [{ name: 'f', schema: { type: 'object' } }, { type: 'opaque' }],
      output: { type: 'schema', schema: { type: 'object', properties: { a: { type: 'string' } } } },
    });
    expect(geminiContent.writeRequest(request).wire).toEqual(seen?.body);
  });
});

const signature = { format: 'gemini', value: 'c2ln' } as const;
const answer: TurnResponse = {
  id: 'r1',
  model: 'gemini-3-flash',
  message: {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'They ask for two.' },
      { type: 'text', text: 'Let me look: é 🌊' },
      { type: 'call', id: 'a', name: 'get', arguments: { city: 'Lyon', list: [1, { x: null }] }, signature },
      { type: 'call', id: 'b', name: 'now', arguments: {} },
    ],
  },
  finish: 'tool_calls',
  usage: { input: 10, output: 30, reasoning: 12, cached: 4 },
};

/** What the SDK made of an answer: its parts with neighbouring words put together, as an application would. */
function accumulated(chunks: readonly GenerateContentResponse[]) {
  const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
  const words = (thought: boolean): string =>
    parts.filter((part) => Boolean(part.thought) === thought).reduce((text, part) => text + (part.text ?? ''), '');
  const last = <T>(pick: (chunk: GenerateContentResponse) => T | undefined): T | undefined =>
    chunks.map(pick).findLast((value) => value !== undefined);
  return {
    thoughts: words(true),
    text: words(false),
    calls: chunks.flatMap((chunk) => chunk.functionCalls ?? []).map(({ name, args }) => ({ name, args: args ?? {} })),
    finish: last((chunk) => chunk.candidates?.[0]?.finishReason),
    usage: last((chunk) => chunk.usageMetadata),
  };
}

/** The same of an answer of ours. */
function ours({ message: { parts }, usage }: TurnResponse) {
  const words = (type: AssistantPart['type']): string =>
    parts.reduce((text, part) => (part.type === type && 'text' in part ? text + part.text : text), '');
  const calls = parts.flatMap((part) => (part.type === 'call' ? [{ name: part.name, args: part.arguments }] : []));
  return { thoughts: words('reasoning'), text: words('text'), calls, usage };
}

const streamed = (body: string) =>
  talk({ type: 'text/event-stream', body }, async (url) => {
    const chunks: GenerateContentResponse[] = [];
    const stream = await client(url).models.generateContentStream({ model: 'm', contents: 'x' });
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  });

const whole = (body: unknown) =>
  talk({ type: 'application/json', body: JSON.stringify(body) }, (url) =>
    client(url).models.generateContent({
      model: 'm',
      contents: 'x',
      config: { automaticContinuation: false },
    }),
  );

describe('S3.7 the SDK reads what we write the same as we do', () => {
  it('a complete response', async () => {
    const { result } = await whole(geminiContent.writeResponse(answer).wire);
    expect(accumulated([result])).toMatchObject({ ...ours(answer), finish: 'STOP', usage: { totalTokenCount: 40 } });
    expect([result.responseId, result.modelVersion, result.functionCalls?.[0]?.id]).toEqual([
      'r1',
      'gemini-3-flash',
      'a',
    ]);
  });

  it('a stream', async () => {
    const { result } = await streamed(new TextDecoder().decode(streamOf(geminiContent, answer)));
    expect(accumulated(result)).toMatchObject({
      ...ours(answer),
      finish: 'STOP',
      usage: { promptTokenCount: 10, candidatesTokenCount: 18, thoughtsTokenCount: 12, cachedContentTokenCount: 4 },
    });
  });

  it.each(Object.entries(responses))('recorded response: %s', async (_, wire) => {
    const { result } = await whole(wire);
    const { usage: __, ...read } = ours(geminiContent.readResponse(wire));
    expect(accumulated([result])).toMatchObject(read);
  });

  const finished = Object.entries(streams).filter(([name]) => !/error|end mark|pieces/.test(name));
  it.each(finished)('recorded stream: %s', async (_, body) => {
    const { result } = await streamed(body);
    const last = decoded(geminiContent, body).at(-1);
    if (last?.type !== 'turn.finished' && last?.type !== 'turn.failed') throw new Error('The stream did not end');
    const { usage: __, ...read } = ours(last.response);
    // Other candidates are no part of the answer, and the SDK shows the first of each frame.
    const first = result.filter(({ candidates }) => !candidates?.[0]?.index);
    expect(accumulated(first)).toMatchObject(read);
  });

  it('an error in the middle of a stream is thrown', async () => {
    const writer = geminiContent.writeStream();
    const error = { kind: 'server', message: 'Overloaded', retryable: true, status: 503 } as const;
    const body = writer.write({ type: 'turn.failed', error, response: answer });
    await expect(streamed(body)).rejects.toThrow(/Overloaded/);
  });
});
