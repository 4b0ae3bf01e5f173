import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reach, turnResponse } from '../../../../test/provider/arbitrary.ts';
import { decoded } from '../../../../test/provider/decoded.ts';
import { conversations } from '../../../../test/provider/fixtures/openai-chat/conversations.ts';
import { responses } from '../../../../test/provider/fixtures/openai-chat/responses.ts';
import { delta, streams } from '../../../../test/provider/fixtures/openai-chat/streams.ts';
import { type Loopback, loopback } from '../../../../test/provider/loopback.ts';
import { streamOf } from '../../../../test/provider/wire-suite.ts';
import type { TurnResponse } from '../../../model/index.ts';
import { openaiChat } from './index.ts';

const params = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }] };
const reach: Reach = {
  format: 'openai-chat',
  arguments: 'text',
  parts: ['text', 'refusal', 'call'],
  ordered: true,
  settings: [],
};

let server: Loopback;
let client: OpenAI;

beforeAll(async () => {
  server = await loopback();
  client = new OpenAI({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
});
afterAll(() => server[Symbol.asyncDispose]());

const playJson = (body: unknown, status = 200): void =>
  server.play({ status, type: 'application/json', body: JSON.stringify(body) });
const playStream = (body: string | Uint8Array): void => server.play({ type: 'text/event-stream', body });

/** The answer the SDK puts together from a stream. */
async function accumulated(body: string | Uint8Array): Promise<OpenAI.Chat.ChatCompletion> {
  playStream(body);
  return client.chat.completions.stream(params).finalChatCompletion();
}

/** What counts of an answer, as the SDK has it. */
function ofSdk({ choices, usage }: OpenAI.Chat.ChatCompletion) {
  const choice = choices[0];
  return {
    text: choice?.message.content || '',
    refusal: choice?.message.refusal || '',
    calls: (choice?.message.tool_calls ?? []).map((call) =>
      call.type === 'function'
        ? [call.id, call.function.name, call.function.arguments]
        : [call.id, call.custom.name, call.custom.input],
    ),
    finish: choice?.finish_reason,
    tokens: usage && [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens],
  };
}

/** What counts of an answer, as we have it. */
function ofOurs({ message, finish, usage }: TurnResponse) {
  const words = (type: 'text' | 'refusal') =>
    message.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  return {
    text: words('text'),
    refusal: words('refusal'),
    calls: message.parts.flatMap((part) => {
      if (part.type === 'call') return [[part.id, part.name, part.arguments]];
      if (part.type !== 'opaque') return [];
      const { id, custom } = part.value as { id: string; custom: { name: string; input: string } };
      return [[id, custom.name, custom.input]];
    }),
    finish: finish === 'filter' ? 'content_filter' : finish,
    tokens: usage && [usage.input, usage.output, (usage.input ?? 0) + (usage.output ?? 0)],
  };
}

describe('the SDK sends', () => {
  it.each(Object.entries(conversations))(
    'the request we write, and we read it back: %s',
    async (_, { request, params: given }) => {
      if (given.stream) playStream(streams.words ?? '');
      else playJson(responses.words);
      await client.chat.completions.create(given);
      const { path, body } = server.asked.at(-1) ?? {};
      const { wire, warnings } = openaiChat.writeRequest(request);
      expect(body).toEqual(wire);
      expect(warnings).toEqual([]);
      expect(path).toBe(openaiChat.pathOf(request));
      expect(openaiChat.readRequest(body)).toEqual(request);
    },
  );
});

describe('the SDK reads', () => {
  it('the complete response we write', async () => {
    const property = fc.asyncProperty(turnResponse(reach), async (response) => {
      playJson(openaiChat.writeResponse(response).wire);
      expect(ofSdk(await client.chat.completions.create(params))).toEqual(ofOurs(response));
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it('the stream we write', async () => {
    const property = fc.asyncProperty(turnResponse(reach), async (response) => {
      expect(ofSdk(await accumulated(streamOf(openaiChat, response)))).toEqual(ofOurs(response));
    });
    await fc.assert(property, { numRuns: 40 });
  });

  it.each(['words', 'two calls', 'a refusal', 'a custom call', 'thoughts, then words', 'signed thoughts'])(
    'the stream we read, with the same result: %s',
    async (name) => {
      const last = decoded(openaiChat, streams[name] ?? '').at(-1);
      if (last?.type !== 'turn.finished') throw new Error(`The stream ended with ${last?.type}`);
      expect(ofSdk(await accumulated(streams[name] ?? ''))).toEqual(ofOurs(last.response));
    },
  );

  it.each(Object.entries(responses).filter(([name]) => !/deprecated|list|no finish|nobody|beside/.test(name)))(
    'the response we read, with the same result: %s',
    async (_, wire) => {
      playJson(wire);
      expect(ofSdk(await client.chat.completions.create(params))).toMatchObject({
        ...ofOurs(openaiChat.readResponse(wire)),
        tokens: wire.usage ? expect.any(Array) : null,
      });
    },
  );

  it('an error we write, alone or in the middle of a stream', async () => {
    const error = { kind: 'rate_limit', message: 'Slow down', retryable: true, code: 'rate_limit_exceeded' } as const;
    playJson(openaiChat.writeError(error), 429);
    await expect(client.chat.completions.create(params)).rejects.toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
    });
    const response: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'error' };
    const frames = delta({ content: 'x' }) + openaiChat.writeStream().write({ type: 'turn.failed', error, response });
    await expect(accumulated(frames)).rejects.toThrow('Slow down');
  });
});
