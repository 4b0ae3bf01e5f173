import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/serve-scripted.ts';
import type { ServedTurn } from '../../src/provider/scripted/served-turn.ts';

/** What an SDK made of an answer. */
interface Seen {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly input: number | undefined;
  readonly output: number | undefined;
}

interface Sdk {
  whole(url: string): Promise<Seen>;
  stream(url: string): Promise<Seen>;
}

const apiKey = 'none';
const maxRetries = 0;
const parameters = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
const user = [{ role: 'user' as const, content: 'Weather?' }];

const chatTools = [{ type: 'function' as const, function: { name: 'get_weather', parameters } }];
const chatSeen = (message: OpenAI.ChatCompletionMessage, usage: OpenAI.CompletionUsage | null | undefined): Seen => ({
  text: message.content ?? '',
  calls: (message.tool_calls ?? []).flatMap((call) =>
    call.type === 'function' ? [{ name: call.function.name, arguments: JSON.parse(call.function.arguments) }] : [],
  ),
  input: usage?.prompt_tokens,
  output: usage?.completion_tokens,
});

const responseSeen = ({ output_text, output, usage }: OpenAI.Responses.Response): Seen => ({
  text: output_text,
  calls: output.flatMap((item) =>
    item.type === 'function_call' ? [{ name: item.name, arguments: JSON.parse(item.arguments) }] : [],
  ),
  input: usage?.input_tokens,
  output: usage?.output_tokens,
});

const messageSeen = ({ content, usage }: Anthropic.Message): Seen => ({
  text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
  calls: content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [])),
  input: usage.input_tokens,
  output: usage.output_tokens,
});

const openaiOf = (url: string): OpenAI => new OpenAI({ apiKey, maxRetries, baseURL: `${url}/v1` });
const anthropicOf = (url: string): Anthropic => new Anthropic({ apiKey, maxRetries, baseURL: url });
const anthropicAsk = {
  model: 'm',
  max_tokens: 100,
  messages: user,
  tools: [{ name: 'get_weather', input_schema: parameters }],
};
const geminiAsk = { model: 'm', contents: 'Weather?' };
const geminiOf = (url: string): GoogleGenAI => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });

const sdks: Record<string, Sdk> = {
  'openai chat': {
    async whole(url) {
      const made = await openaiOf(url).chat.completions.create({ model: 'm', messages: user, tools: chatTools });
      return chatSeen(made.choices[0]?.message as OpenAI.ChatCompletionMessage, made.usage);
    },
    async stream(url) {
      const asked = { model: 'm', messages: user, tools: chatTools, stream_options: { include_usage: true } };
      const made = await openaiOf(url).chat.completions.stream(asked).finalChatCompletion();
      return chatSeen(made.choices[0]?.message as OpenAI.ChatCompletionMessage, made.usage);
    },
  },
  'openai responses': {
    whole: async (url) => responseSeen(await openaiOf(url).responses.create({ model: 'm', input: 'Weather?' })),
    async stream(url) {
      const stream = openaiOf(url).responses.stream({ model: 'm', input: 'Weather?' });
      return responseSeen((await stream.finalResponse()) as OpenAI.Responses.Response);
    },
  },
  anthropic: {
    whole: async (url) => messageSeen(await anthropicOf(url).messages.create(anthropicAsk)),
    stream: async (url) => messageSeen(await anthropicOf(url).messages.stream(anthropicAsk).finalMessage()),
  },
  gemini: {
    async whole(url) {
      const made = await geminiOf(url).models.generateContent(geminiAsk);
      return {
        text: made.candidates?.[0]?.content?.parts?.map(({ text = '' }) => text).join('') ?? '',
        calls: (made.functionCalls ?? []).map(({ name = '', args }) => ({ name, arguments: args })),
        input: made.usageMetadata?.promptTokenCount,
        output: made.usageMetadata?.candidatesTokenCount,
      };
    },
    async stream(url) {
      const seen = { text: '', calls: [] as Seen['calls'][number][], input: undefined, output: undefined };
      let usage: { promptTokenCount?: number; candidatesTokenCount?: number } | undefined;
      for await (const chunk of await geminiOf(url).models.generateContentStream(geminiAsk)) {
        for (const { text = '', functionCall } of chunk.candidates?.[0]?.content?.parts ?? []) {
          seen.text += text;
          if (functionCall) seen.calls.push({ name: functionCall.name ?? '', arguments: functionCall.args });
        }
        usage = chunk.usageMetadata ?? usage;
      }
      return { ...seen, input: usage?.promptTokenCount, output: usage?.candidatesTokenCount };
    },
  },
};

const ollamaAsk = { model: 'm', messages: user };
sdks.ollama = {
  async whole(url) {
    const { message, prompt_eval_count, eval_count } = await new Ollama({ host: url }).chat(ollamaAsk);
    const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: given } }) => ({
      name,
      arguments: given,
    }));
    return { text: message.content, calls, input: prompt_eval_count, output: eval_count };
  },
  async stream(url) {
    const seen = { text: '', calls: [] as Seen['calls'][number][] };
    let counts: Pick<Seen, 'input' | 'output'> = { input: undefined, output: undefined };
    for await (const { message, prompt_eval_count, eval_count, done } of await new Ollama({ host: url }).chat({
      ...ollamaAsk,
      stream: true,
    })) {
      seen.text += message.content;
      for (const { function: called } of message.tool_calls ?? []) {
        seen.calls.push({ name: called.name, arguments: called.arguments });
      }
      if (done) counts = { input: prompt_eval_count, output: eval_count };
    }
    return { ...seen, ...counts };
  },
};

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function serving(script: readonly ServedTurn[]): Promise<ScriptedServer> {
  const server = await serveScripted(script);
  servers.push(server);
  return server;
}

const calls = [
  { id: 'call_a', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  { id: 'call_b', name: 'get_weather', arguments: '{"city":"Rome"}' },
];
const turn = { text: 'I look, twice.', calls, usage: { input: 12, output: 8 }, chunk: 4 };
const seen: Seen = {
  text: 'I look, twice.',
  calls: [
    { name: 'get_weather', arguments: { city: 'Oslo' } },
    { name: 'get_weather', arguments: { city: 'Rome' } },
  ],
  input: 12,
  output: 8,
};

describe.each(Object.entries(sdks))('the SDK of %s, against the scripted server', (_, sdk) => {
  it('reads a whole answer', async () => {
    const server = await serving([turn]);
    expect(await sdk.whole(server.url)).toEqual(seen);
    expect(server.requests[0]?.question?.stream ?? false).toBe(false);
  });

  it('reads a stream', async () => {
    const server = await serving([turn]);
    expect(await sdk.stream(server.url)).toEqual(seen);
    expect(server.requests[0]?.question?.stream).toBe(true);
  });

  it('knows an error for one', async () => {
    const error = { message: 'no such model', kind: 'request' as const, status: 404 };
    const server = await serving([{ error }, { error }]);
    await expect(sdk.whole(server.url)).rejects.toThrow(/no such model/);
    await expect(sdk.stream(server.url)).rejects.toThrow(/no such model/);
  });

  it('knows that a stream was cut', async () => {
    const server = await serving([{ text: 'word '.repeat(500), chunk: 5, cut: 5000 }]);
    await expect(sdk.stream(server.url)).rejects.toThrow();
  });

  it('knows an error in mid-stream for one', async () => {
    const server = await serving([{ text: 'Half', error: { message: 'it broke', kind: 'server' } }]);
    await expect(sdk.stream(server.url)).rejects.toThrow(/it broke/);
  });
});

describe('the scripted server', () => {
  it('says what it does not serve, and what it can’t read', async () => {
    const server = await serving(['never']);
    expect((await fetch(`${server.url}/v1/nothing`, { method: 'POST', body: '{}' })).status).toBe(404);
    const bad = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: '{"model": "m", "messages": 3}',
    });
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ error: { message: expect.stringContaining('messages') } });
  });

  it('plays bytes as they are, at their pace, and cuts the connection where it is told to', async () => {
    const server = await serving([{ raw: ['a', new Uint8Array([0xff]), 'b'], pace: 5, kill: true, status: 206 }]);
    const response = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 1, messages: [] }),
    });
    expect(response.status).toBe(206);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('listens on the loopback interface alone', async () => {
    const server = await serving([]);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  });
});
