/** Structured output through the frameworks' own calls: damaged text, without and with the adapter. */
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import { generateObject, generateText, Output, streamObject, streamText, wrapLanguageModel } from 'ai';
import { createAgent, providerStrategy, toolStrategy } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mendMiddleware } from '../../src/adapter/ai-sdk/index.ts';
import { mendMiddleware as agentMiddleware, mendModel } from '../../src/adapter/langchain/index.ts';
import { mendProvider } from '../../src/adapter/openai-agents/index.ts';
import { type ScriptedServer, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';

const schema = z.object({ city: z.string(), days: z.number(), tags: z.array(z.string()) });
const value = { city: 'Rome', days: 3, tags: ['food'] };

const damaged: [string, string][] = [
  ['a fence', '```json\n{"city": "Rome", "days": 3, "tags": ["food"]}\n```'],
  ['prose before it', 'Here is the plan:\n{"city": "Rome", "days": 3, "tags": ["food"]}'],
  ['Python notation', "{'city': 'Rome', 'days': 3, 'tags': ['food'],}"],
  ['wrong types', '{"city": "Rome", "days": "3", "tags": "food"}'],
  ['a key in another spelling', '{"City": "Rome", "days": 3, "tags": ["food"]}'],
];
/** JSON that the frameworks read, although a value in it was lost. */
const lossy: [string, string][] = [
  ['a key with two values', '{"city": "Rome", "days": 3, "days": 4, "tags": []}'],
  ['an integer that would be rounded', '{"city": "Rome", "days": 9007199254740993, "tags": []}'],
  ['a key with two values in a fence', '```json\n{"city": "Rome", "city": "Oslo", "days": 3, "tags": []}\n```'],
];
const truncated: ServedTurn = { text: '{"city": "Rome", "days": 3, "tags": ["food"', finish: 'length' };

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const urlFor = async (...turns: (ServedTurn | string)[]): Promise<string> => {
  server = await serveScripted(turns.map((turn) => (typeof turn === 'string' ? { text: turn, chunk: 4 } : turn)));
  return `${server.url}/v1`;
};

describe('AI SDK', () => {
  const modelOf = async (mends: boolean, ...turns: (ServedTurn | string)[]) => {
    const model = createOpenAI({ baseURL: await urlFor(...turns), apiKey: 'none' }).chat('m');
    return mends ? wrapLanguageModel({ model, middleware: mendMiddleware() }) : model;
  };
  const prompt = 'Plan.';
  const plain = { schema, prompt, maxRetries: 0 };
  // The SDK settles the object only if its stream is read.
  const read = async (stream: { partialObjectStream: AsyncIterable<unknown>; object: PromiseLike<unknown> }) => {
    const object = Promise.resolve(stream.object);
    object.catch(() => {});
    for await (const _ of stream.partialObjectStream);
    return object;
  };

  it.each(damaged)('mends %s in Output.object, generateObject and their streams', async (_, text) => {
    const output = Output.object({ schema });
    expect((await generateText({ model: await modelOf(true, text), prompt, output })).output).toEqual(value);
    expect((await generateObject({ model: await modelOf(true, text), ...plain })).object).toEqual(value);
    expect(await streamText({ model: await modelOf(true, text), prompt, output }).output).toEqual(value);
    expect(await read(streamObject({ model: await modelOf(true, text), ...plain }))).toEqual(value);
  });

  it.each(damaged)('guard: without the adapter, %s throws', async (_, text) => {
    await expect(generateObject({ model: await modelOf(false, text), ...plain })).rejects.toThrow();
  });

  it.each(lossy)('refuses %s, and says why', async (_, text) => {
    const error = await generateObject({ model: await modelOf(true, text), ...plain }).catch((thrown) => thrown);
    expect(error.text).toMatch(/^.+\n\nThe output is not valid:/s);
    const stream = streamObject({ model: await modelOf(true, text), ...plain, onError: () => {} });
    await expect(read(stream)).rejects.toThrow();
  });

  it('guard: streams partial values while the text is right', async () => {
    const text = JSON.stringify(value);
    const { partialObjectStream } = streamObject({ model: await modelOf(true, text), ...plain });
    const partial: unknown[] = [];
    for await (const one of partialObjectStream) partial.push(one);
    expect(partial.length).toBeGreaterThan(3);
    expect(partial.at(-1)).toEqual(value);
  });

  it('guard: closes nothing that is truncated', async () => {
    await expect(generateObject({ model: await modelOf(true, truncated), ...plain })).rejects.toThrow();
    const stream = streamObject({ model: await modelOf(true, truncated), ...plain, onError: () => {} });
    await expect(read(stream)).rejects.toThrow();
  });

  it('reads lists and choices', async () => {
    const list = await generateText({
      model: await modelOf(true, '{elements: [{"n": "1"}, {"n": 2},]}'),
      prompt,
      output: Output.array({ element: z.object({ n: z.number() }) }),
    });
    expect(list.output).toEqual([{ n: 1 }, { n: 2 }]);
    const choice = await generateText({
      model: await modelOf(true, "{'result': 'Sunny'}"),
      prompt,
      output: Output.choice({ options: ['sunny', 'rainy'] }),
    });
    expect(choice.output).toBe('sunny');
  });
});

describe('LangChain', () => {
  const modelOf = async (...turns: (ServedTurn | string)[]) =>
    new ChatOpenAI({ model: 'm', apiKey: 'none', maxRetries: 0, configuration: { baseURL: await urlFor(...turns) } });

  it.each(damaged)('mends %s in withStructuredOutput', async (_, text) => {
    for (const method of ['jsonMode', 'jsonSchema'] as const) {
      const reads = mendModel(await modelOf(text)).withStructuredOutput(schema, { method });
      expect(await reads.invoke('Plan.'), method).toEqual(value);
    }
    const call: ServedTurn = { calls: [{ name: 'extract', arguments: text }] };
    const reads = mendModel(await modelOf(call)).withStructuredOutput(schema, { method: 'functionCalling' });
    if (text.startsWith('{')) expect(await reads.invoke('Plan.')).toEqual(value);
  });

  it.each([
    ['sound', ''],
    ['damaged', ','],
  ])('reads a code fence in a string of %s JSON', async (_, comma) => {
    const fenced = { ...value, city: 'Run:\n```js\nplan({"days": 3})\n```\n' };
    const text = JSON.stringify(fenced).replace(/\}$/, `${comma}}`);
    const json = { title: 'plan', ...z.toJSONSchema(schema) } as Record<string, unknown>;
    for (const method of ['jsonMode', 'jsonSchema'] as const) {
      for (const wanted of [schema, json]) {
        const reads = mendModel(await modelOf(text)).withStructuredOutput(wanted, { method });
        expect(await reads.invoke('Plan.'), method).toEqual(fenced);
      }
    }
    const bare = (await modelOf(text)).withStructuredOutput(json, { method: 'jsonMode' });
    await expect(bare.invoke('Plan.')).rejects.toThrow();
  });

  it('keeps the raw message next to the value', async () => {
    const config = { method: 'jsonSchema', includeRaw: true } as const;
    const reads = mendModel(await modelOf(damaged[2]?.[1] as string)).withStructuredOutput(schema, config);
    expect(await reads.invoke('Plan.')).toMatchObject({ parsed: value, raw: { content: JSON.stringify(value) } });
  });

  it('mends a stream', async () => {
    const reads = mendModel(await modelOf("{'city': 'Rome', 'days': '3', 'tags': ['food']}"));
    let last: unknown;
    const options = { method: 'jsonMode' } as const;
    for await (const one of await reads.withStructuredOutput(schema, options).stream('Plan.')) last = one;
    expect(last).toEqual(value);
  });

  it('guard: closes nothing that is truncated', async () => {
    const reads = mendModel(await modelOf(truncated)).withStructuredOutput(schema, { method: 'jsonMode' });
    await expect(reads.invoke('Plan.')).rejects.toThrow();
  });

  it.each(lossy)('refuses %s', async (_, text) => {
    for (const method of ['jsonMode', 'jsonSchema'] as const) {
      const reads = mendModel(await modelOf(text)).withStructuredOutput(schema, { method });
      await expect(reads.invoke('Plan.'), method).rejects.toThrow();
    }
  });

  it.each(damaged)('mends %s for an agent with providerStrategy', async (_, text) => {
    const agent = createAgent({
      model: await modelOf(text),
      tools: [],
      responseFormat: providerStrategy(schema),
      middleware: [agentMiddleware()],
    });
    expect((await agent.invoke({ messages: [{ role: 'user', content: 'Plan.' }] })).structuredResponse).toEqual(value);
  });

  it('guard: mends the call of an agent with toolStrategy', async () => {
    const responseFormat = toolStrategy(schema);
    const name = responseFormat[0]?.name ?? '';
    const calls = [{ name, arguments: "{'city': 'Rome', 'days': '3', 'tags': ['food']}" }];
    const agent = createAgent({
      model: await modelOf({ calls }),
      tools: [],
      responseFormat,
      middleware: [agentMiddleware()],
    });
    expect((await agent.invoke({ messages: [{ role: 'user', content: 'Plan.' }] })).structuredResponse).toEqual(value);
  });
});

describe('OpenAI Agents', () => {
  const run = async (mends: boolean, stream: boolean, ...turns: (ServedTurn | string)[]) => {
    const bare = new OpenAIProvider({ apiKey: 'none', baseURL: await urlFor(...turns), useResponses: false });
    const runner = new Runner({ modelProvider: mends ? mendProvider(bare) : bare, tracingDisabled: true });
    const agent = new Agent({ name: 'Planner', model: 'm', outputType: schema });
    if (!stream) return { output: (await runner.run(agent, 'Plan.')).finalOutput, streamed: '' };
    const result = await runner.run(agent, 'Plan.', { stream: true });
    let streamed = '';
    for await (const event of result)
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta')
        streamed += event.data.delta;
    await result.completed;
    return { output: result.finalOutput, streamed };
  };

  it.each(damaged)('mends %s for outputType, complete and streamed', async (_, text) => {
    expect((await run(true, false, text)).output).toEqual(value);
    const { output, streamed } = await run(true, true, text);
    expect(output).toEqual(value);
    expect(JSON.parse(streamed ?? '')).toEqual(value);
    await server?.close();
    await expect(run(false, false, text)).rejects.toThrow();
  });

  it('asks again with feedback for an output that can not be mended', async () => {
    const { output } = await run(true, false, '{"city": "Rome", "days": "a few", "tags": []}', JSON.stringify(value));
    expect(output).toEqual(value);
    expect(JSON.stringify(server?.requests[1]?.question?.messages)).toContain("Field 'days' expected number");
  });

  it.each(lossy)('asks again about %s, and refuses it at last', async (_, text) => {
    await expect(run(true, false, text, text, text, text)).rejects.toThrow();
    const asked = server?.requests[1]?.question?.messages ?? [];
    expect(JSON.stringify(asked).split('The output is not valid').length - 1).toBe(1);
    await server?.close();
    await expect(run(true, true, text, text, text, text)).rejects.toThrow();
  });

  it('asks again for one that is truncated, and never closes it', async () => {
    expect((await run(true, false, truncated, JSON.stringify(value))).output).toEqual(value);
    expect(server?.requests).toHaveLength(2);
    await server?.close();
    await expect(run(true, false, truncated, truncated, truncated, truncated)).rejects.toThrow();
  });
});
