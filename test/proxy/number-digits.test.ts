/** The digits of a number that leaves the proxy: as the model wrote them, or the call does not leave at all. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../../src/json/value.ts';
import type { CallPart, TurnEvent, TurnRequest, TurnResponse } from '../../src/model/index.ts';
import { anthropicMessages } from '../../src/provider/wire/anthropic/index.ts';
import { decodeStream } from '../../src/provider/wire/decode-stream.ts';
import { geminiContent } from '../../src/provider/wire/gemini/index.ts';
import { ollamaChat } from '../../src/provider/wire/ollama/index.ts';
import { openaiChat } from '../../src/provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../src/provider/wire/openai-responses/index.ts';
import { eventsOf } from '../../src/provider/wire/turn-assembler.ts';
import type { Provider } from '../../src/provider/wire/types.ts';
import type { JsonSchema } from '../../src/schema/types.ts';
import { closeAll, json, proxied } from './around.ts';

const formats = [openaiChat, openaiResponses, anthropicMessages, geminiContent, ollamaChat];
const ways = formats.flatMap((wire) => [true, false].map((streamed) => ({ wire, streamed })));
const paths: Readonly<Record<string, string>> = { 'openai-chat': '/v1', 'openai-responses': '/v1', gemini: '/v1beta' };
const types = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;
const schema: JsonSchema = {
  type: 'object',
  properties: {
    n: { type: 'number' },
    list: { type: 'array', items: { type: 'number' } },
    item_size: { type: 'number' },
    ok: { type: 'boolean' },
    version: { type: 'string' },
  },
};

let sent = { bytes: '', type: '' };
let url = '';
beforeAll(async () => {
  const proxy = await proxied((response) => response.writeHead(200, { 'content-type': sent.type }).end(sent.bytes));
  url = proxy.url;
});
afterAll(closeAll);

/** Whether this way of a format has arguments as text. */
const isText = ({ format }: Provider, streamed: boolean): boolean =>
  format.startsWith('openai') || (format === 'anthropic' && streamed);

/** The arguments as text that a client gets for a call with these, and whether all bytes are the same. */
async function through(wire: Provider, args: string, streamed: boolean) {
  const given = isText(wire, streamed) ? args : { hole: 1 };
  const part: CallPart = { type: 'call', id: 'call_1', name: 'f', arguments: given };
  const message = { role: 'assistant', parts: [part] } as const;
  const response: TurnResponse = { id: 'r1', model: 'm', message, finish: 'tool_calls' };
  const writer = wire.writeStream();
  const text = streamed
    ? [...eventsOf(response, 3)].map((event) => writer.write(event)).join('')
    : JSON.stringify(wire.writeResponse(response).wire);
  const bytes = text.replace('{"hole":1}', () => args);
  sent = { bytes, type: streamed ? types[wire.framing] : 'application/json' };
  const request: TurnRequest = {
    model: 'm',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'x' }] }],
    tools: [{ type: 'function', name: 'f', description: 'F', schema }],
    stream: streamed,
  };
  const path = wire.pathOf(request);
  const prefix = paths[wire.format] ?? '';
  const answer = await fetch(url + (path.startsWith(prefix) ? path : prefix + path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(wire.writeRequest(request).wire),
  });
  const out = (await answer.text()).replace(/: toolmend .*\n\n$/, '');
  return { out, same: out === bytes, args: isText(wire, streamed) ? textOf(wire, out, streamed) : objectIn(out) };
}

function textOf(wire: Provider, out: string, streamed: boolean): string | undefined {
  let last: TurnEvent | undefined;
  if (streamed) {
    const decoder = decodeStream(wire, (event) => {
      last = event;
    });
    decoder.feed(Buffer.from(out));
    decoder.end();
  }
  const read = streamed ? last && 'response' in last && last.response : wire.readResponse(JSON.parse(out));
  const call = (read || undefined)?.message.parts.find((part) => part.type === 'call');
  return call && isObject(call) ? String(call.arguments) : undefined;
}

/** The text of the only object with a field of the tool. */
const objectIn = (out: string): string | undefined => /\{[^{}]*"(?:n|list|item_size|version)"[^{}]*\}/.exec(out)?.[0];

/** Without white space. */
const tight = (text: string | undefined): string | undefined => text?.replace(/\s/g, '');

/** Every way in which one literal left differently. */
async function differing(args: string, want: (wire: Provider, streamed: boolean) => string | undefined) {
  const found: string[] = [];
  for (const { wire, streamed } of ways) {
    const got = tight((await through(wire, args, streamed)).args);
    if (got !== want(wire, streamed)) found.push(`${wire.format} ${streamed ? 'streamed' : 'whole'}: ${got}`);
  }
  return found;
}

/** Numbers that `JSON.stringify` writes differently after `JSON.parse`. */
const odd = [
  '0.10000000000000001',
  '0.12345678901234567890',
  '3.14159265358979323846',
  '-0',
  '-0.0',
  '1.0',
  '1.50',
  '1E5',
  '1e22',
  '5E-324',
  '1e-400',
  '12345678901234567.89',
];
/** Integers past 2^53, and numbers that are infinite when parsed. */
const large = [
  '9007199254740993',
  '-9007199254740993',
  '12345678901234567890',
  '9007199254740993.0',
  '1e400',
  '-1e999',
];
/** Numbers past 2^53 in other notations, whose digits don't come back. */
const rounded = ['9007199254740993e0', '90071992547409930e-1', '1.2345678901234567890e25'];

describe('a number in a call with other repairs keeps its notation', () => {
  it.each(odd)('%s next to a flag as text', async (n) => {
    expect(await differing(`{"n": ${n}, "ok": "yes"}`, () => `{"n":${n},"ok":true}`)).toEqual([]);
    expect(await differing(`{"ok": "yes", "n": ${n}}`, () => `{"ok":true,"n":${n}}`)).toEqual([]);
  });
  it.each(odd)('%s in a list, and with a renamed key', async (n) => {
    const args = `{"list": [7, ${n}], "itemSize": 2.50}`;
    expect(await differing(args, () => `{"list":[7,${n}],"item_size":2.50}`)).toEqual([]);
  });
  it.each(odd)('%s as text for a string field', async (n) => {
    expect(await differing(`{"version": ${n}}`, () => `{"version":"${n}"}`)).toEqual([]);
  });
  it.each(large.slice(0, 3))('%s keeps all digits as text for a string field', async (n) => {
    expect(await differing(`{"version": ${n}}`, () => `{"version":"${n}"}`)).toEqual([]);
  });
  it.each(['1.0', '-0', '1E5'])("%s in text that isn't strict JSON", async (n) => {
    for (const { wire, streamed } of ways.filter((way) => isText(way.wire, way.streamed)))
      expect(tight((await through(wire, `{n: ${n}, 'ok': True,}`, streamed)).args)).toBe(`{"n":${n},"ok":true}`);
  });
});

const asItCame = (args: string) => (wire: Provider) => (wire.format.startsWith('openai') ? args : undefined);
/** As it came where arguments are text, withheld where they are objects. */
const refusedWays = (n: string) => differing(`{"n":${n},"ok":"yes"}`, asItCame(`{"n":${n},"ok":"yes"}`));

describe('a number beyond 2^53 that would lose digits is refused in every notation', () => {
  it.each(rounded)('%s next to a flag as text', async (n) => {
    expect(await refusedWays(n)).toEqual([]);
  });
});

it("a number read from text doesn't get the notation of an equal number", async () => {
  expect(await differing('{"n": "1", "list": [1.0]}', () => '{"n":1,"list":[1.0]}')).toEqual([]);
});

describe('guard: numbers in calls that need no mending', () => {
  it.each([...odd, '6.02e+23', '1e-7', '9007199254740991'])('%s passes byte for byte', async (n) => {
    for (const { wire, streamed } of ways) expect((await through(wire, `{"n": ${n}}`, streamed)).same).toBe(true);
  });
  it.each(large)('%s is refused', async (n) => {
    expect(await refusedWays(n)).toEqual([]);
    for (const { wire, streamed } of ways) {
      const { same, out } = await through(wire, `{"n": ${n}}`, streamed);
      if (wire.format.startsWith('openai')) expect(same).toBe(true);
      else expect(out).toContain("[The call to 'f' could not be passed on.");
    }
  });
});

describe('F10 large integers in a request keep their digits in every API format', () => {
  const big = '9007199254740993';
  const asked: TurnRequest = {
    model: 'm',
    maxTokens: 9,
    messages: [
      { role: 'user', parts: [{ type: 'text', text: 'x' }] },
      { role: 'assistant', parts: [{ type: 'call', id: 'call_1', name: 'f', arguments: { n: 77 } }] },
      {
        role: 'user',
        parts: [{ type: 'result', callId: 'call_1', name: 'f', content: [{ type: 'text', text: 'r' }] }],
      },
    ],
    tools: [{ type: 'function', name: 'f', description: 'F', schema }],
  };
  const bodyOf = (client: Provider): string => JSON.stringify(client.writeRequest(asked).wire).replace('77', big);
  const sentTo = async (server: Provider, client: Provider, body: string | Uint8Array<ArrayBuffer>) => {
    const response: TurnResponse = {
      message: { role: 'assistant', parts: [{ type: 'text', text: 'y' }] },
      finish: 'stop',
    };
    const { url, heard } = await proxied((answer) => json(answer, server.writeResponse(response).wire), {
      about: { formats: [server.format] },
    });
    const path = client.pathOf(asked);
    const prefix = paths[client.format] ?? '';
    const { status } = await fetch(url + (path.startsWith(prefix) ? path : prefix + path), { method: 'POST', body });
    return { status, body: heard[0]?.body };
  };
  const pairs = formats.flatMap((client) =>
    formats.map((server) => [client.format, server.format, client, server] as const),
  );

  it.each(pairs)('a call from %s to %s', async (_, __, client, server) => {
    expect((await sentTo(server, client, bodyOf(client))).body).toContain(big);
  });

  it.each(pairs)('the schema of a tool from %s to %s', async (_, __, client, server) => {
    const limits = { minimum: 78, maximum: 79, enum: [78, 79] };
    const given: JsonSchema = { type: 'object', properties: { n: { type: 'integer', ...limits } } };
    const tools = [{ type: 'function', name: 'f', description: 'F', schema: given }] as const;
    const text = JSON.stringify(client.writeRequest({ ...asked, tools }).wire);
    const body = text.replaceAll('78', `-${big}`).replaceAll('79', '9223372036854775807');
    const got = String((await sentTo(server, client, body)).body);
    expect(got).not.toMatch(/9007199254740992|9223372036854776/);
    expect(got).toContain(`-${big}`);
    expect(got).toContain('9223372036854775807');
  });

  it.each(formats.map((server) => [server.format, server] as const))(
    'a result from gemini to %s',
    async (_, server) => {
      const body = bodyOf(geminiContent).replace('"output":"r"', `"output":"r","big":${big}`);
      expect(body.split(big)).toHaveLength(3);
      expect((await sentTo(server, geminiContent, body)).body?.split(big)).toHaveLength(3);
    },
  );

  it.each(pairs)("text that isn't UTF-8 is never replaced: from %s to %s", async (_, __, client, server) => {
    const body = new Uint8Array(Buffer.from(bodyOf(client).replace('"r"', '"caf\xe9"'), 'latin1'));
    const { status, body: got } = await sentTo(server, client, body);
    expect([status, got !== undefined]).toEqual(client === server ? [200, true] : [400, false]);
  });
});
