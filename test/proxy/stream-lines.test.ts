/** C2 Streams whose lines end as the specification of server-sent events allows, and few servers do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { closeAll, open, upstream } from './around.ts';
import { cuttingServer, type Sent, type SentCall } from './cutting-server.ts';
import { received } from './reading-clients.ts';

const servers: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];
const clients: readonly Format[] = [...servers, 'ollama'];

const call = (text: string, value: unknown): SentCall => ({ text, value });
const good = call('{"path": "b.txt", "content": "one\\ntwo"}', { path: 'b.txt', content: 'one\ntwo' });
const mended = call('{"Path": "b.txt"}', { Path: 'b.txt' });
const cut = call('{"path": "a.txt", "content": "first hal', { path: 'a.txt', content: 'first hal' });

const ends = { CR: '\r', CRLF: '\r\n', LF: '\n' } as const;
const mark = '\uFEFF';
const split = (text: string, size: number): Buffer[] => {
  const all = Buffer.from(text);
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.subarray(at * size, (at + 1) * size));
};
const turns = (text: string): string => {
  let at = 0;
  return text.replaceAll('\n', () => Object.values(ends)[at++ % 3] as string);
};
const forms: Readonly<Record<string, (stream: string) => readonly Buffer[]>> = {
  CR: (text) => split(text.replaceAll('\n', ends.CR), 1e6),
  'CR, in pieces': (text) => split(text.replaceAll('\n', ends.CR), 7),
  'CR behind a byte order mark': (text) => split(mark + text.replaceAll('\n', ends.CR), 40),
  'CR, LF and CRLF by turns': (text) => split(turns(text.replaceAll('\n\n', '\n\n\n')), 1e6),
  'CR, LF and CRLF by turns, in pieces': (text) => split(turns(text.replaceAll('\n\n', '\n\n\n')), 5),
};
const known: typeof forms = {
  CRLF: (text) => split(text.replaceAll('\n', ends.CRLF), 1e6),
  'CRLF, in pieces': (text) => split(text.replaceAll('\n', ends.CRLF), 3),
  'LF behind a byte order mark': (text) => split(mark + text, 3),
};

const plays: Readonly<Record<string, Omit<Sent, 'pieces'>>> = {
  good: { words: 'I write.', calls: [good], ends: 'tool_calls' },
  mended: { words: 'I write.', calls: [mended], ends: 'tool_calls' },
  cut: { words: 'I write.', calls: [good, cut], ends: 'length' },
};

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const { url } = await upstream(
    cuttingServer((model) => {
      const [play = '', form = ''] = model.split('.');
      const pieces = { ...forms, ...known }[Buffer.from(form, 'hex').toString()];
      return { ...(plays[play] as Sent), ...(pieces && { pieces }) };
    }),
  );
  for (const format of servers) {
    const proxy = await createProxy({ upstreams: [{ url, formats: [format] }] }).listen();
    open.push(proxy);
    proxies.set(format, proxy.url);
  }
});
afterAll(closeAll);

const ask = (client: Format, server: Format, play: string, form: string) =>
  received(client, true, proxies.get(server) as string, `${play}.${Buffer.from(form).toString('hex')}`);
const objectOf = (given: unknown): unknown => (typeof given === 'string' ? JSON.parse(given) : given);

async function check(client: Format, server: Format, form: string): Promise<void> {
  const whole = await ask(client, server, 'good', form);
  expect(whole.error).toBeUndefined();
  expect([whole.text, whole.calls.map((one) => objectOf(one.arguments))]).toEqual(['I write.', [good.value]]);
  const other = await ask(client, server, 'mended', form);
  expect(other.calls.map((one) => objectOf(one.arguments))).toEqual([{ path: 'b.txt' }]);
  const half = await ask(client, server, 'cut', form);
  expect(half.calls.map((one) => objectOf(one.arguments))).toEqual([good.value]);
  expect(half.text).toContain("The call to 'write_file' was cut off");
}

const pairs = servers.flatMap((server, at) =>
  [server, clients[(at + 1) % clients.length], 'ollama' as const].map((client) => [client as Format, server] as const),
);
describe.each(Object.keys(forms))('lines that end with %s', (form) => {
  it.each(pairs)('%s before %s', (client, server) => check(client, server, form));
});
describe.each(Object.keys(known))('guard: lines that end with %s', (form) => {
  it.each(pairs)('%s before %s', (client, server) => check(client, server, form));
});

const all: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const crossings = all.flatMap((client) =>
  all
    .filter((server) => server !== client)
    .flatMap((server) => [false, true].map((streams) => [client, server, streams] as const)),
);

/** An upstream that ignores whether the client asks for a stream. */
const stubborn = (streams: boolean): Parameters<typeof upstream>[0] => {
  const serve = cuttingServer(() => ({ words: 'I write.', calls: [good], ends: 'tool_calls' }));
  return (response, heard) => {
    const url = heard.url.replace(
      /:(?:streamG|g)enerateContent/,
      streams ? ':streamGenerateContent' : ':generateContent',
    );
    serve(response, { ...heard, url, body: JSON.stringify({ ...JSON.parse(heard.body), stream: streams }) });
  };
};

it.each(crossings)(
  'a client of %s before %s gets the framing that it asked for, streamed: %s',
  async (client, server, streams) => {
    const { url } = await upstream(stubborn(!streams));
    const proxy = await createProxy({ upstreams: [{ url, formats: [server] }] }).listen();
    open.push(proxy);
    const got = await received(client, streams, proxy.url, 'm');
    expect(got.error).toBeUndefined();
    expect(got.text).toBe('I write.');
    const objectOf = (given: unknown): unknown => (typeof given === 'string' ? JSON.parse(given) : given);
    expect(got.calls.map((one) => objectOf(one.arguments))).toEqual([good.value]);
  },
);
