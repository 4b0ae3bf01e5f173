import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import type { Format } from '../../src/model/index.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { createProxy } from '../../src/proxy/server.ts';

// The made-up model is unknown to the SDK, which says so at every call.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The address of a proxy before a model that calls badly, and then answers. */
async function proxied(format: Format): Promise<string> {
  const upstream = await serveScripted((question) => {
    const answered = question.messages.some(({ parts }) => parts.some(({ type }) => type === 'result'));
    return answered
      ? 'It is sunny.'
      : { calls: [{ name: 'getWeather', arguments: "{city: 'Oslo', days: '3',}" }], chunk: 4 };
  });
  const proxy = await createProxy({ upstreams: [{ url: upstream.url, formats: [format] }] }).listen();
  open.push(proxy, upstream);
  return proxy.url;
}

const models: Record<string, (url: string) => LanguageModel> = {
  'openai chat': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('m'),
  'openai responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).responses('m'),
  anthropic: (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('m'),
};

describe.each(Object.entries(models))('the AI SDK with %s, through the proxy', (_, modelOf) => {
  it.each(['openai-chat', 'anthropic'] as const)(
    'runs a damaged call of an upstream with the API format %s',
    async (format) => {
      const ran: unknown[] = [];
      const tools = {
        get_weather: tool({
          description: 'Finds out the weather',
          inputSchema: jsonSchema<{ city: string; days?: number }>({
            type: 'object',
            properties: { city: { type: 'string' }, days: { type: 'integer' } },
            required: ['city'],
          }),
          execute: (input) => {
            ran.push(input);
            return 'sunny';
          },
        }),
      };
      const asked = {
        prompt: 'Weather?',
        tools,
        stopWhen: ({ steps }: { steps: readonly unknown[] }) => steps.length >= 3,
      };
      const { text } = await generateText({ ...asked, model: modelOf(await proxied(format)) });
      expect(text).toBe('It is sunny.');
      const streamed = streamText({ ...asked, model: modelOf(await proxied(format)) });
      expect(await streamed.text).toBe('It is sunny.');
      expect(ran).toEqual([
        { city: 'Oslo', days: 3 },
        { city: 'Oslo', days: 3 },
      ]);
    },
  );
});

describe('LangChain, through the proxy', () => {
  const weather = {
    type: 'function' as const,
    function: {
      name: 'get_weather',
      description: 'Finds out the weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
        required: ['city'],
      },
    },
  };
  const chat = async (format: Format) =>
    new ChatOpenAI({
      model: 'm',
      apiKey: 'none',
      maxRetries: 0,
      configuration: { baseURL: `${await proxied(format)}/v1` },
    }).bindTools([weather]);
  const call = { name: 'get_weather', args: { city: 'Oslo', days: 3 } };

  it.each(['openai-chat', 'anthropic', 'gemini', 'ollama'] as const)(
    'reads a damaged call of an upstream with the API format %s',
    async (format) => {
      const whole = await (await chat(format)).invoke('Weather?');
      expect(whole.tool_calls).toMatchObject([call]);
      expect(whole.invalid_tool_calls ?? []).toEqual([]);
      const stream = await (await chat(format)).stream('Weather?');
      let all: Awaited<typeof whole> | undefined;
      for await (const chunk of stream) all = (all ? all.concat(chunk as never) : chunk) as typeof whole;
      expect(all?.tool_calls).toMatchObject([call]);
    },
  );
});
