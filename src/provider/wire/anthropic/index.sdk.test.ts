import Anthropic, { APIError } from '@anthropic-ai/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reach, turnResponse } from '../../../../test/provider/arbitrary.ts';
import { decoded } from '../../../../test/provider/decoded.ts';
import { conversations } from '../../../../test/provider/fixtures/anthropic/conversations.ts';
import { responses } from '../../../../test/provider/fixtures/anthropic/responses.ts';
import { odd, sound } from '../../../../test/provider/fixtures/anthropic/streams.ts';
import { type Loopback, loopback } from '../../../../test/provider/loopback.ts';
import { streamOf } from '../../../../test/provider/wire-suite.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { TurnError, TurnResponse } from '../../../model/index.ts';
import { anthropicMessages } from './index.ts';

const params = { model: 'm', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] };
const reach: Reach = {
  format: 'anthropic',
  arguments: 'value',
  parts: ['sealed', 'hidden', 'text', 'call'],
  settings: [],
};

let server: Loopback;
let client: Anthropic;

beforeAll(async () => {
  server = await loopback();
  client = new Anthropic({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
});
afterAll(() => server[Symbol.asyncDispose]());

const playJson = (body: unknown, status = 200): void =>
  server.play({ status, type: 'application/json', body: JSON.stringify(body) });
const playStream = (body: string | Uint8Array): void => server.play({ type: 'text/event-stream', body });

/** The answer the SDK puts together from a stream, as plain JSON; its beta knows more kinds of blocks. */
async function accumulated(bytes: string | Uint8Array, api: 'stable' | 'beta' = 'beta'): Promise<JsonObject> {
  playStream(bytes);
  const stream = api === 'beta' ? client.beta.messages.stream(params) : client.messages.stream(params);
  return plain(await stream.finalMessage());
}

/** What the SDK adds to an answer of its own is not on the wire. */
const plain = (message: object): JsonObject => {
  const { _request_id, parsed_output, container, diagnostics, ...rest } = JSON.parse(JSON.stringify(message));
  return rest;
};

function finished(bytes: string): TurnResponse {
  const last = decoded(anthropicMessages, bytes).at(-1);
  if (last?.type !== 'turn.finished') throw new Error(`The stream ended with ${last?.type}`);
  return last.response;
}

describe('the SDK sends', () => {
  it.each(Object.entries(conversations))('the request we write: %s', async (_, { request, params: given }) => {
    playJson(responses['plain text']);
    await client.messages.create(given);
    const { path, body } = server.asked.at(-1) ?? {};
    const { wire, warnings } = anthropicMessages.writeRequest(request);
    expect(body).toEqual(wire);
    expect(warnings).toEqual([]);
    expect(path).toBe(anthropicMessages.pathOf(request));
    expect(anthropicMessages.readRequest(body)).toEqual(request);
  });

  it('the request we write for a stream', async () => {
    await accumulated(sound.words ?? '');
    const request = anthropicMessages.readRequest(server.asked.at(-1)?.body);
    expect(request.stream).toBe(true);
    expect(anthropicMessages.writeRequest(request).wire).toEqual(server.asked.at(-1)?.body);
  });
});

describe('S3.7 the SDK reads', () => {
  it.each(Object.entries(responses))('a complete response as it was written: %s', async (_, wire) => {
    playJson(anthropicMessages.writeResponse(anthropicMessages.readResponse(wire)).wire);
    const { container: __, diagnostics: ___, ...rest } = wire;
    expect(plain(await client.messages.create(params))).toEqual(rest);
  });

  it('a response we stream as the one we write complete', async () => {
    const same = fc.asyncProperty(turnResponse(reach), async (response) => {
      const bytes = streamOf(anthropicMessages, response);
      const { wire } = anthropicMessages.writeResponse(response);
      expect(await accumulated(bytes, 'stable')).toEqual(wire);
      expect(await accumulated(bytes, 'beta')).toEqual(wire);
    });
    await fc.assert(same, { numRuns: 50 });
  });

  const whole = Object.entries(sound).filter(([name]) => name !== 'cut off in a call');
  it.each(whole)('a stream the same as we do: %s', async (_, bytes) => {
    const ours = anthropicMessages.writeResponse(finished(bytes)).wire;
    const { content, stop_reason, usage, id, model } = await accumulated(bytes);
    expect({ content, stop_reason, usage, id, model }).toEqual({
      content: ours.content,
      stop_reason: ours.stop_reason,
      usage: ours.usage,
      id: ours.id,
      model: ours.model,
    });
  });

  it.each(whole)('a stream that we read and wrote again: %s', async (_, bytes) => {
    const writer = anthropicMessages.writeStream();
    const again = decoded(anthropicMessages, bytes).map((event) => writer.write(event));
    expect(await accumulated(again.join(''))).toEqual(await accumulated(bytes));
  });

  it('the pieces of a truncated call, whose complete text we keep', async () => {
    const [call] = finished(sound['cut off in a call'] ?? '').message.parts;
    const { content } = await accumulated(sound['cut off in a call'] ?? '');
    expect(content).toEqual([{ type: 'tool_use', id: 'toolu_1', name: 'write_file', input: { path: 'a.ts' } }]);
    expect(call).toMatchObject({ arguments: '{"path": "a.ts", "content": "const a' });
  });
});

describe('the SDK throws', () => {
  const errors: [TurnError, string][] = [
    [{ kind: 'rate_limit', message: 'Slow down', retryable: true, status: 429 }, 'rate_limit_error'],
    [{ kind: 'request', message: 'No such model', retryable: false, status: 404 }, 'not_found_error'],
    [{ kind: 'server', message: 'Overloaded', retryable: true, status: 529 }, 'overloaded_error'],
    [{ kind: 'network', message: 'Upstream is gone', retryable: true }, 'api_error'],
  ];

  it.each(errors)('the error we write: %j', async (error, type) => {
    playJson(anthropicMessages.writeError(error), error.status ?? 502);
    const thrown = await client.messages.create(params).catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(APIError);
    if (!(thrown instanceof APIError)) return;
    expect(thrown.type).toBe(type);
    expect(thrown.message).toContain(error.message);
    const read = anthropicMessages.readError(thrown.status ?? 0, thrown.error);
    expect(read).toMatchObject({ message: error.message, retryable: error.retryable, code: type });
  });

  it('an error in the middle of a stream, as we do', async () => {
    const bytes = odd['an error in the middle'] ?? '';
    await expect(accumulated(bytes)).rejects.toThrow(/Overloaded/);
    const writer = anthropicMessages.writeStream();
    const again = decoded(anthropicMessages, bytes).map((event) => writer.write(event));
    await expect(accumulated(again.join(''))).rejects.toThrow(/Overloaded/);
  });
});
