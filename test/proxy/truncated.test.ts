import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { closeAll, open, proxied, upstream } from './around.ts';
import { cuttingServer, type Sent, type SentCall } from './cutting-server.ts';
import { received } from './reading-clients.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const pairs = formats.flatMap((client) => formats.map((server) => [client, server] as const));

/** How a truncated message ends in each format. */
const truncatedWords: Readonly<Record<Format, string>> = {
  'openai-chat': 'length',
  'openai-responses': 'max_output_tokens',
  anthropic: 'max_tokens',
  gemini: 'MAX_TOKENS',
  ollama: 'length',
};
const completeWords: Readonly<Record<Format, string>> = {
  'openai-chat': 'stop',
  'openai-responses': 'completed',
  anthropic: 'end_turn',
  gemini: 'STOP',
  ollama: 'stop',
};

const call = (text: string, value: unknown): SentCall => ({ text, value });
const good = call('{"path": "b.txt"}', { path: 'b.txt' });
const inString = call('{"path": "a.txt", "content": "first hal', { path: 'a.txt', content: 'first hal' });

/** The cuts, each with what servers make of it whose API carries objects. */
const cuts: Readonly<Record<string, SentCall>> = {
  'in a string': inString,
  'in a number': call('{"path": "a.txt", "limit": 1', { path: 'a.txt', limit: 1 }),
  'after a key': call('{"path": "a.txt", "content"', { path: 'a.txt' }),
  'in a list': call('{"path": "a.txt", "lines": ["one", "two"', { path: 'a.txt', lines: ['one', 'two'] }),
  'before any argument': call('', {}),
};

const cases: Readonly<Record<string, Sent>> = {
  ...Object.fromEntries(
    Object.entries(cuts).map(([name, cut]): [string, Sent] => [
      name,
      { words: 'I write.', calls: [cut], ends: 'length' },
    ]),
  ),
  'after a complete call': { calls: [good, inString], ends: 'length' },
};

/** Formats whose stream, or whole answer, has the text of the arguments. */
const hasText = (format: Format, streamed: boolean): boolean =>
  format === 'openai-chat' || format === 'openai-responses' || (format === 'anthropic' && streamed);
const carriesText = (format: Format): boolean => format === 'openai-chat' || format === 'openai-responses';

const slug = (name: string): string => name.replaceAll(' ', '-');
const sentBySlug = new Map<string, Sent>(Object.entries(cases).map(([name, sent]) => [slug(name), sent]));
sentBySlug.set('cut-tool-calls', { calls: [inString], ends: 'tool_calls' });
sentBySlug.set('garbage', { calls: [call('write a.txt, please', 'write a.txt, please')], ends: 'tool_calls' });
sentBySlug.set('twice', { calls: [call('{"path": "a", "path": "b"}', {})], ends: 'tool_calls' });
sentBySlug.set('dropped', { words: 'I write.', calls: [good, inString], ends: 'dropped' });
sentBySlug.set('good', { words: 'I write.', calls: [good, good], ends: 'tool_calls' });
sentBySlug.set('good-length', { words: 'I write.', calls: [good], ends: 'length' });

const proxies = new Map<Format, string>();
beforeAll(async () => {
  const { url } = await upstream(cuttingServer((model) => sentBySlug.get(model) as Sent));
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

const alive: Readonly<Record<Format, RegExp>> = {
  'openai-chat': /\n: still here\n/,
  'openai-responses': /\n: still here\n/,
  anthropic: /event: ping\n/,
  gemini: /"parts":\[\{"text":""\}\]/,
  ollama: /"content":""},"done":false\}\n.*"content":""},"done":false\}\n/s,
};

const modes = [
  ['whole', false],
  ['streamed', true],
] as const;
const rows = pairs.flatMap(([client, server]) =>
  modes.map(([mode, streamed]) => [`${client} before ${server}, ${mode}`, client, server, streamed] as const),
);
const ofText = rows.filter(([, , server, streamed]) => hasText(server, streamed));
const ofObjects = rows.filter(([, client]) => !carriesText(client));

describe.each(rows)("C2 C27 a truncated call doesn't reach a client: %s", (_, client, server, streamed) => {
  it.each(Object.entries(cases))('%s', async (name, sent) => {
    const { text, calls, finish, error } = await ask(client, server, streamed, slug(name));
    expect(error).toBeUndefined();
    expect(calls.map((one) => objectOf(one.arguments))).toEqual(sent.calls.slice(0, -1).map(({ value }) => value));
    expect(text).toMatch(/^(I write\.\n{2,3})?\[The call to 'write_file' was cut off by the output token limit/);
    expect(finish).toBe(truncatedWords[client]);
  });
});

it.each(ofText)(
  "C18 a truncated call with the finish reason of a complete one doesn't reach a client: %s",
  async (_, client, server, streamed) => {
    const { text, calls, finish } = await ask(client, server, streamed, 'cut-tool-calls');
    expect(calls).toEqual([]);
    expect(text).toMatch(/^\[The call to 'write_file' was cut off: its arguments are incomplete/);
    expect(finish).toBe(truncatedWords[client]);
  },
);

describe("a call that the client's API format can't express doesn't become another call", () => {
  it.each(ofObjects)("arguments that aren't an object: %s", async (_, client, server, streamed) => {
    const { text, calls, finish } = await ask(client, server, streamed, 'garbage');
    expect(calls).toEqual([]);
    expect(text).toMatch(/^\[The call to 'write_file' could not be passed on\. /);
    expect(finish).toBe(completeWords[client]);
  });

  it.each(ofObjects.filter((row) => ofText.includes(row)))('F11 a duplicate key: %s', async (_, ...row) => {
    const { text, calls, finish } = await ask(...row, 'twice');
    expect(calls).toEqual([]);
    expect(finish).toBe(completeWords[row[0]]);
    expect(text).toContain("The call to 'write_file' could not be passed on");
  });
});

const dropped = async (...row: readonly [Format, Format, boolean]) => {
  const { calls, error } = await ask(...row, 'dropped');
  for (const one of calls) expect(objectOf(one.arguments)).toEqual(good.value);
  expect(calls.length).toBeLessThan(2);
  expect(error).toBeDefined();
};
const oftenOpen = ofText.filter(
  ([, client, server, streamed]) =>
    streamed && (carriesText(client) || (client === 'anthropic' && server !== 'openai-chat')),
);
it.each(oftenOpen)("F1 an interrupted call doesn't reach a client: %s", (_, ...row) => dropped(...row));

it.each(formats)('keeps the connection of a client of %s alive while a call is buffered', async (client) => {
  const { url: server } = await upstream(
    cuttingServer(() => ({ words: 'I write.', calls: [good], ends: 'length', pause: 600 })),
  );
  const { url } = await createProxy({ upstreams: [{ url: server, formats: ['anthropic'] }], keepAlive: 20 })
    .listen()
    .then((proxy) => {
      open.push(proxy);
      return proxy;
    });
  let bytes = '';
  const tap = await upstream((response, { url: path, body, headers }) => {
    const { host: _, 'content-length': __, ...passed } = headers;
    void fetch(url + path, { method: 'POST', body, headers: passed as Record<string, string> }).then(async (answer) => {
      bytes = await answer.text();
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(bytes);
    });
  });
  const { calls, text, error } = await received(client, true, tap.url, 'm');
  expect(error).toBeUndefined();
  expect([text, calls.length]).toEqual(['I write.', 1]);
  expect(bytes).toMatch(alive[client]);
});

const bodies = {
  "tools of the provider's own": { tools: [{ type: 'bash_20250124', name: 'write_file' }] },
  'no definition of it': { tools: [{ name: 'other', input_schema: { type: 'object', properties: {} } }] },
};
it.each(
  Object.entries(bodies).flatMap(([name, body]) =>
    modes.map(([mode, stream]) => [`${name}, ${mode}`, body, stream] as const),
  ),
)("C2 a truncated call doesn't reach a client that passed %s", async (_, body, stream) => {
  const answer = await fetch(`${proxies.get('anthropic')}/v1/messages`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'in-a-string',
      max_tokens: 9,
      stream,
      messages: [{ role: 'user', content: 'x' }],
      ...body,
    }),
  });
  const text = await answer.text();
  expect(text).toContain("The call to 'write_file' was cut off");
  expect(text).not.toContain('tool_use');
  expect(text).not.toContain('first hal');
});

describe.each(formats)("a complete response of the Responses API that failed isn't a success for %s", (client) => {
  const text = '<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt"}}\n</tool_call>';
  const rows: readonly (readonly [string, Sent])[] = [
    ['a native call', { calls: [good], ends: 'length', word: 'failed' }],
    ['an open call', { words: 'I write.', calls: [inString], ends: 'length', word: 'failed' }],
    ['a call in text', { words: text, calls: [], ends: 'length', word: 'failed' }],
  ];
  it.each(rows)('F1 %s', async (name, sent) => {
    const { url } = await proxied(
      cuttingServer(() => sent),
      { about: { formats: ['openai-responses'] }, retries: 1 },
    );
    const got = await received(client, false, url, 'm');
    if (client !== 'openai-responses') {
      expect(got).toMatchObject({ calls: [], text: '', error: expect.stringContaining('The model crashed.') });
      return;
    }
    expect(got).toMatchObject({ finish: 'failed', calls: name === 'a native call' ? [{ arguments: good.text }] : [] });
  });
});

/** Finish reasons that neither say that a response is complete nor why it isn't. */
const unknownWords: Readonly<Record<Format, readonly string[]>> = {
  'openai-chat': ['sensitive', 'network_error', 'cancelled', 'timeout', 'content-filter', 'interrupted'],
  'openai-responses': ['network_error'],
  anthropic: ['pause_turn'],
  gemini: [],
  ollama: [],
};
const unknownRows = ofText.flatMap(([title, client, server, streamed]) =>
  unknownWords[server].map((word) => [`${title}: ${word}`, client, server, streamed, word] as const),
);
it.each(unknownRows)('F1 no closer is inferred after an unknown finish reason: %s', async (_, ...row) => {
  const [client, server, streamed, word] = row;
  const cut = call('{"path": "a.txt", "content": "b"', { path: 'a.txt', content: 'b' });
  const { url } = await proxied(
    cuttingServer(() => ({ calls: [cut], ends: 'length', word })),
    {
      about: { formats: [server] },
    },
  );
  const got = await received(client, streamed, url, 'm');
  expect(got.calls).toEqual([]);
  expect(got.text).toContain("[The call to 'write_file' was cut off: its arguments are incomplete");
});

describe('guard: existing behaviour', () => {
  it.each(rows.filter((row) => !oftenOpen.includes(row)))(
    'an interrupted connection leaves no open call: %s',
    (_, ...row) => dropped(...row),
  );

  it.each(rows.filter(([, client]) => carriesText(client)))(
    "arguments that aren't an object pass: %s",
    async (_, ...row) => {
      const { calls } = await ask(...row, 'garbage');
      expect(calls.map((one) => one.arguments)).toEqual([expect.stringContaining('write a.txt, please')]);
    },
  );

  it.each(rows)('complete calls pass: %s', async (_, ...row) => {
    const { text, calls, error } = await ask(...row, 'good');
    expect(error).toBeUndefined();
    expect(text).toBe('I write.');
    expect(calls.map((one) => objectOf(one.arguments))).toEqual([good.value, good.value]);
  });

  it.each(ofText)('a complete call passes even if the message reached the token limit: %s', async (_, ...row) => {
    const { calls, finish } = await ask(...row, 'good-length');
    expect(calls.map((one) => objectOf(one.arguments))).toEqual([good.value]);
    expect(finish).toBe(truncatedWords[row[0]]);
  });
});

describe('with arguments that are forwarded before they are complete', () => {
  const texts = formats.filter((format) => hasText(format, true));
  const rows = texts.flatMap((client) => texts.map((server) => [client, server] as const));
  const early = new Map<Format, string>();
  beforeAll(async () => {
    const { url } = await upstream(cuttingServer((model) => sentBySlug.get(model) as Sent));
    for (const format of texts) {
      const proxy = await createProxy({ upstreams: [{ url, formats: [format] }], streamArguments: true }).listen();
      open.push(proxy);
      early.set(format, proxy.url);
    }
  });
  const endOf = (client: Format, server: Format, model: string) =>
    received(client, true, early.get(server) as string, model);

  it.each(rows)('the finish reason says that a call must not run: %s before %s', async (client, server) => {
    expect((await endOf(client, server, 'cut-tool-calls')).finish).toBe(truncatedWords[client]);
    const { calls, finish } = await endOf(client, server, 'twice');
    // A call that arrives in one piece was withheld.
    expect(finish).toBe((calls.length > 0 ? truncatedWords : completeWords)[client]);
  });

  it.each(rows)('guard: complete calls have their own: %s before %s', async (client, server) => {
    expect((await endOf(client, server, 'good')).finish).not.toBe(truncatedWords[client]);
  });
});
