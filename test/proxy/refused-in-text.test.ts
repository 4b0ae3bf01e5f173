/** Calls in text that are refused: what only mentions a call stays as it was written, and of a faulty call the text says why. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { createProxy, type Upstream } from '../../src/proxy/server.ts';
import { closeAll, open, proxied, upstream } from './around.ts';
import { cuttingServer } from './cutting-server.ts';
import { received } from './reading-clients.ts';

const formats: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama'];
const ends: Readonly<Record<Format, readonly [stop: string, calls: string]>> = {
  'openai-chat': ['stop', 'tool_calls'],
  'openai-responses': ['completed', 'completed'],
  anthropic: ['end_turn', 'tool_use'],
  gemini: ['STOP', 'STOP'],
  ollama: ['stop', 'stop'],
};

const hermes = (given: object): string =>
  `<tool_call>\n${JSON.stringify({ name: 'write_file', arguments: given })}\n</tool_call>`;

/** Texts that only show a call, in the dialect that the upstream has. */
const mentions: Readonly<Record<string, readonly [dialect: string, text: string]>> = {
  'a template': ['auto', hermes({ path: '<file path>', content: '<content>' })],
  'a template with dots': ['auto', hermes({ path: '...' })],
  'a template in tags': [
    'auto',
    '<tool_call>\n<function=write_file>\n<parameter=path>\n<path>\n</parameter>\n</function>\n</tool_call>',
  ],
  'a template in Python': ['auto', '[write_file(path="<path>")]'],
  'a template in special tokens': [
    'auto',
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>{"path": "<path>"}<|tool_call_end|><|tool_calls_section_end|>',
  ],
  'the names of types': ['auto', 'Action: write_file\nAction Input: {"path": "string", "content": "string"}'],
  'a call next to a template': ['auto', `${hermes({ path: 'a.txt' })}\n${hermes({ path: '<path>' })}`],
  'a template after words, named': ['hermes', `The template is:\n\n${hermes({ path: '<path>' })}`],
  'types that do not fit, named': [
    'hermes',
    `Write your calls in this form:\n${hermes({ path: 'string', limit: 'integer' })}\n\nGood luck!`,
  ],
};

/** Calls with a value that may not be one, after words. */
const doubts: Readonly<Record<string, readonly [given: object, why: string]>> = {
  'a placeholder': [
    { path: 'a.txt', content: '<your text here>' },
    "Field 'content' has a placeholder; send the real value, or the same again if you mean it",
  ],
};
const noteOf = (why: string): string => `[The call to 'write_file' could not be passed on. ${why}. It was not run.]`;

const texts = new Map<string, string>();
const proxies = new Map<string, string>();
beforeAll(async () => {
  const { url } = await upstream((response, heard) => {
    const format = formats.find((one) => heard.headers['x-format'] === one) ?? 'openai-chat';
    const [word] = ends[format];
    cuttingServer((model) => ({ words: texts.get(model) ?? '', calls: [], ends: 'tool_calls', word }))(response, heard);
  });
  for (const format of formats)
    for (const dialect of ['auto', 'hermes'])
      for (const streamArguments of [false, true]) {
        const own: Partial<Upstream> = { headers: { 'x-format': format }, ...(dialect !== 'auto' && { dialect }) };
        const proxy = await createProxy({ upstreams: [{ url, formats: [format], ...own }], streamArguments }).listen();
        open.push(proxy);
        proxies.set(`${format} ${dialect} ${streamArguments}`, proxy.url);
      }
});
afterAll(closeAll);

let sent = 0;
function ask(client: Format, server: Format, streamed: boolean, text: string, dialect = 'auto', early = false) {
  const model = `m${sent++}`;
  texts.set(model, text);
  return received(client, streamed, proxies.get(`${server} ${dialect} ${early}`) as string, model);
}

/** The arguments of calls, which some formats carry as text. */
const objectsIn = (calls: readonly { readonly arguments: unknown }[]): unknown[] =>
  calls.map((one) => (typeof one.arguments === 'string' ? JSON.parse(one.arguments) : one.arguments));

const pairs = formats.flatMap((client) =>
  formats.flatMap((server) =>
    [false, true].map(
      (streamed) =>
        [`${client} before ${server}, ${streamed ? 'streamed' : 'whole'}`, client, server, streamed] as const,
    ),
  ),
);

describe.each(pairs)('%s', (_, client, server, streamed) => {
  const [stop, calls] = ends[client];

  it.each(Object.entries(mentions))('leaves %s as it was written', async (_, [dialect, text]) => {
    expect(await ask(client, server, streamed, text, dialect)).toEqual({ text, calls: [], finish: stop });
  });

  it.each(Object.entries(doubts))('says in the text what is wrong with a call: %s', async (_, [given, why]) => {
    for (const early of [false, true]) {
      const alone = await ask(client, server, streamed, hermes(given), 'auto', early);
      expect(alone).toEqual({ text: noteOf(why), calls: [], finish: stop });
      const after = await ask(client, server, streamed, `I write it.\n${hermes(given)}`, 'auto', early);
      expect({ ...after, text: after.text.replace(/\n+/, '\n') }).toEqual({
        text: `I write it.\n${noteOf(why)}`,
        calls: [],
        finish: stop,
      });
    }
  });

  it('passes on a call that only its schema refuses, as the model made it', async () => {
    for (const given of [{ path: 'a.txt', limit: 'many' }, { content: 'x' }]) {
      const got = await ask(client, server, streamed, `I write it.\n${hermes(given)}`);
      expect(got).toMatchObject({ calls: [{ name: 'write_file' }], finish: calls });
      expect(objectsIn(got.calls)).toEqual([given]);
    }
  });

  it('passes on the valid call next to a doubtful one', async () => {
    const [given, why] = doubts['a placeholder'] as (typeof doubts)[string];
    const got = await ask(client, server, streamed, `${hermes({ path: 'b.txt' })}\n${hermes(given)}`);
    expect(got).toMatchObject({ text: expect.stringContaining(noteOf(why)), finish: calls });
    expect(objectsIn(got.calls)).toEqual([{ path: 'b.txt' }]);
  });

  it('guard: passes on a call with values', async () => {
    const got = await ask(client, server, streamed, `I write it.\n${hermes({ path: 'a.txt', content: '<b>x</b>' })}`);
    expect(got).toMatchObject({ calls: [{ name: 'write_file' }], finish: calls });
  });
});

describe('a response that only mentions a call', () => {
  const text = hermes({ path: '<path>' });

  it('passes byte for byte', async () => {
    const line = (delta: object, finish: string | null): string =>
      `data: ${JSON.stringify({ id: 'r', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const stream = `${line({ content: text.slice(0, 9) }, null)}${line({ content: text.slice(9) }, null)}${line({}, 'stop')}data: [DONE]\n\n`;
    const whole = JSON.stringify({
      id: 'r',
      odd: 1,
      choices: [{ index: 0, message: { content: text }, finish_reason: 'stop' }],
    });
    const { url } = await proxied((response, { body }) => {
      const streams = body.includes('"stream":true');
      response
        .writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
        .end(streams ? stream : whole);
    });
    const tools = [{ type: 'function', function: { name: 'write_file', parameters: { type: 'object' } } }];
    for (const streamed of [false, true]) {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools, stream: streamed });
      const answer = await fetch(`${url}/v1/chat/completions`, { method: 'POST', body });
      expect((await answer.text()).replace(/: toolmend .*\n\n$/, '')).toBe(streamed ? stream : whole);
    }
  });

  it.each([false, true])('has its other choices left alone too, streamed: %s', async (streamed) => {
    const part = { content: text };
    const choice = (index: number) => ({ index, [streamed ? 'delta' : 'message']: part, finish_reason: 'stop' });
    const both = JSON.stringify({ id: 'r', choices: [choice(0), choice(1)] });
    const { url } = await proxied((response) =>
      response
        .writeHead(200, { 'content-type': streamed ? 'text/event-stream' : 'application/json' })
        .end(streamed ? `data: ${both}\n\ndata: [DONE]\n\n` : both),
    );
    const tools = [{ type: 'function', function: { name: 'write_file', parameters: { type: 'object' } } }];
    const messages = [{ role: 'user', content: 'x' }];
    const body = JSON.stringify({ model: 'm', n: 2, messages, tools, stream: streamed });
    const answer = await (await fetch(`${url}/v1/chat/completions`, { method: 'POST', body })).text();
    expect(answer).not.toContain('tool_calls');
    expect(answer.split(JSON.stringify(text))).toHaveLength(3);
  });

  it.each(pairs.filter(([, client, server]) => client === 'openai-chat' || client === server))(
    'is retried: %s',
    async (_, client, server, streamed) => {
      const said = [text, hermes({ path: 'a.txt' }), text, text];
      const word = ends[server][0];
      const { url } = await proxied(
        cuttingServer(() => ({ words: said.shift() ?? '', calls: [], ends: 'tool_calls', word })),
        { about: { formats: [server] }, retries: 1 },
      );
      expect((await received(client, streamed, url, 'm')).calls).toMatchObject([{ name: 'write_file' }]);
      expect(await received(client, streamed, url, 'm')).toEqual({ text, calls: [], finish: ends[client][0] });
      expect(said).toEqual([]);
    },
  );
});
