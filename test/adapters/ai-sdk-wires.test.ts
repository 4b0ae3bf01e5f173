import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import {
  convertToModelMessages,
  isStepCount,
  readUIMessageStream,
  streamText,
  type UIMessage,
  wrapLanguageModel,
} from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { mendMiddleware } from '../../src/adapter/ai-sdk/mend-middleware.ts';
import type { ScriptedTurn } from '../../src/provider/scripted/script.ts';
import { type ScriptedServer, serveScripted } from '../../src/provider/scripted/server.ts';
import { toolsThat } from './ai-sdk-run.ts';

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** The packages of the providers, each on its own wire. */
const wires: Record<string, (url: string) => Model> = {
  'OpenAI Chat Completions': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('any'),
  'OpenAI Responses': (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).responses('any'),
  'Anthropic Messages': (url) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('any'),
};

const bad = (name: string, given: string): ScriptedTurn => ({
  text: 'I look.',
  chunk: 3,
  calls: [{ name, arguments: given }],
});

describe.each(Object.entries(wires))('%s', (wire, modelAt) => {
  const run = async (...turns: (ScriptedTurn | string)[]) => {
    server = await serveScripted(turns);
    const inputs: unknown[] = [];
    const model = wrapLanguageModel({ model: modelAt(server.url), middleware: mendMiddleware() });
    const tools = toolsThat((input) => inputs.push(input));
    const result = streamText({
      model,
      tools,
      prompt: 'Go on.',
      stopWhen: isStepCount(4),
      maxRetries: 0,
      maxOutputTokens: 99,
    });
    return { inputs, text: await result.text };
  };

  it('C15 a damaged call in a stream runs as intended', async () => {
    const { inputs, text } = await run(bad('Read-File', "{path: 'a.ts', limit: '5',}"), 'Done.');
    expect({ inputs, text }).toEqual({ inputs: [{ path: 'a.ts', limit: 5 }], text: 'Done.' });
  });

  it('C2 a truncated call is reported, and the provider accepts the history', async () => {
    const cut: ScriptedTurn = { ...bad('write_file', '{"path": "a.ts", "content": "Of al'), finish: 'length' };
    const { inputs, text } = await run(cut, 'Done.');
    expect({ inputs, text }).toEqual({ inputs: [], text: 'Done.' });
    const parts = server?.requests.at(-1)?.question?.messages.flatMap((message) => [...message.parts]) ?? [];
    const [result] = parts.filter((part) => part.type === 'result');
    expect(JSON.stringify(result?.content)).toContain('cut off by the output token limit');
    expect(JSON.stringify(server?.requests.at(-1)?.body)).not.toContain('toolmend');
    // S0.5: the one wire of these that has a mark for errors says so.
    if (wire === 'Anthropic Messages') expect(result).toMatchObject({ isError: true });
  });
});

it('C15 a conversation that went to a page and back still reports the fault to the model', async () => {
  server = await serveScripted([bad('read_file', '{"limit": "many"'), 'Well.', 'Done.']);
  const modelAt = wires['OpenAI Chat Completions'] as (url: string) => Model;
  const model = wrapLanguageModel({ model: modelAt(server.url), middleware: mendMiddleware() });
  const tools = toolsThat(() => {});
  const first = streamText({ model, tools, prompt: 'Go on.', stopWhen: isStepCount(2) });
  let shown: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: first.toUIMessageStream() })) shown = message;
  const stored = JSON.parse(JSON.stringify(shown)) as UIMessage;
  const messages = await convertToModelMessages([
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
    stored,
    { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And now?' }] },
  ]);
  const second = streamText({ model, tools, messages });
  expect(await second.text).toBe('Done.');
  const { body } = server.requests.at(-1) ?? {};
  expect(JSON.stringify(body)).toContain("1. Field 'path' is required but missing");
  expect(JSON.stringify(body)).not.toMatch(/toolmend|An error occurred|AI_/);
});
