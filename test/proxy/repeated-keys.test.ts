import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { type Answerer, closeAll, open, upstream } from './around.ts';
import { cuttingServer, type Sent } from './cutting-server.ts';
import { received } from './reading-clients.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const rows = formats.flatMap((client) =>
  formats.flatMap((server) =>
    [false, true].map(
      (streamed) =>
        [`${client} before ${server}, ${streamed ? 'streamed' : 'whole'}`, client, server, streamed] as const,
    ),
  ),
);

/** Arguments as the model wrote them, which no value expresses. */
const written: Record<string, string> = {
  different: '{"path": "a.txt", "path": "b.txt"}',
  escaped: '{"path": "a.txt", "p\\u0061th": "b.txt"}',
  'different-inside': '{"path": "a.txt", "lines": [{"a": 1, "a": 2}]}',
  'different-before': '{"path": "a.txt", "limit": {"a": 1, "a": 2}, "limit": 3}',
  'different-objects': '{"limit": {"a": 1}, "path": "a.txt", "limit": {"a": 2}}',
  equal: '{"path": "a.txt", "path": "a.txt"}',
  integer: '{"path": "a.txt", "limit": 9007199254740993}',
};

const marker = { path: 'as written' };
const sentFor = (model: string): Sent => ({
  calls: [{ text: written[model] as string, value: marker }],
  ends: 'tool_calls',
});

/** A server that sends an object with these characters, which no `JSON.stringify` writes. */
const verbatim = (inner: Answerer): Answerer => {
  return (response, heard) => {
    const name = /\/([\w-]+):/.exec(heard.url)?.[1] ?? JSON.parse(heard.body).model;
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    const text = written[name as string] as string;
    const called = name.endsWith('-unknown') ? 'other_file' : 'write_file';
    response.end = ((sent: string) =>
      end(sent.replaceAll(JSON.stringify(marker), () => text).replaceAll('"write_file"', `"${called}"`))) as never;
    inner(response, heard);
  };
};

/** The same calls of a tool that the request doesn't define. */
for (const name of Object.keys(written)) written[`${name}-unknown`] = written[name] as string;

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const { url } = await upstream(verbatim(cuttingServer(sentFor)));
  for (const format of formats) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

const ask = (client: Format, server: Format, streamed: boolean, model: string) =>
  received(client, streamed, proxies.get(server) as string, model);
const objectOf = (given: unknown): unknown => (typeof given === 'string' ? JSON.parse(given) : given);

describe.each(rows)('F11 a key that is given twice: %s', (_, client, server, streamed) => {
  it.each(Object.keys(written).filter((name) => /^(?:different|escaped)/.test(name)))(
    "with different values doesn't reach a client: %s",
    async (name) => {
      const { calls, text, error } = await ask(client, server, streamed, name);
      expect(error).toBeUndefined();
      expect(calls).toEqual([]);
      const why = name.endsWith('-unknown') ? 'does not exist' : 'is given twice';
      expect(text).toMatch(/^\[The call to '\w+' could not be passed on\. /);
      expect(text).toContain(why);
    },
  );

  it('with equal values is given once', async () => {
    const { calls } = await ask(client, server, streamed, 'equal');
    expect(calls.map((one) => one.arguments)).toHaveLength(1);
    expect(calls.map((one) => objectOf(one.arguments))).toEqual([{ path: 'a.txt' }]);
  });

  it('with equal values passes to a client that knows more tools', async () => {
    const { calls } = await ask(client, server, streamed, 'equal-unknown');
    expect(calls.map((one) => objectOf(one.arguments))).toEqual([{ path: 'a.txt' }]);
  });

  it('F10 an integer past 2^53 is never rounded', async () => {
    const { calls } = await ask(client, server, streamed, 'integer');
    for (const one of calls) expect(one.arguments).toBe(written.integer);
  });
});
