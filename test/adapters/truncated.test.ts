import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import type { AIMessageChunk } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, tool as agentTool, OpenAIProvider, Runner } from '@openai/agents';
import { tool as aiTool, generateText, isStepCount, jsonSchema, streamText, wrapLanguageModel } from 'ai';
import { createAgent, tool as langChainTool } from 'langchain';
import { afterEach, describe, expect, it } from 'vitest';
import { mendMiddleware as mendAiSdk } from '../../src/adapter/ai-sdk/index.ts';
import { mendMiddleware as mendLangChain, mendModel } from '../../src/adapter/langchain/index.ts';
import { mendProvider } from '../../src/adapter/openai-agents/index.ts';
import { anthropic, gemini, ollama, openai } from '../../src/provider/client/providers.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import { Toolbox } from '../../src/tools/toolbox.ts';
import { closeAll, upstream } from '../proxy/around.ts';
import { cuttingServer, type Sent, type SentCall } from '../proxy/cutting-server.ts';
import { sampleOf } from '../sample.ts';

afterEach(closeAll);

const parameters = {
  type: 'object' as const,
  properties: {
    path: { type: 'string' as const },
    content: { type: 'string' as const },
    limit: { type: 'integer' as const },
    lines: { type: 'array' as const, items: { type: 'string' as const } },
  },
};
const description = 'Writes a file';
const name = 'write_file';

const call = (text: string, value: unknown): SentCall => ({ text, value });
const good = call('{"path": "b.txt"}', { path: 'b.txt' });
const inString = call('{"path": "a.txt", "content": "first hal', { path: 'a.txt', content: 'first hal' });
const length = (cut: SentCall, word?: string): Sent => ({
  words: 'I write.',
  calls: [cut],
  ends: 'length',
  ...(word && { word }),
});

/** What the model sends first. Nothing of the last call may run. */
const cuts: Readonly<Record<string, Sent>> = {
  'in a string': length(inString),
  'in a number': length(call('{"path": "a.txt", "limit": 1', { path: 'a.txt', limit: 1 })),
  'after a key': length(call('{"path": "a.txt", "content"', { path: 'a.txt' })),
  'in a list': length(call('{"path": "a.txt", "lines": ["one", "two"', { path: 'a.txt', lines: ['one', 'two'] })),
  'before the last brace': length(call('{"path": "a.txt"', { path: 'a.txt' })),
  'before any argument': length(call('', {})),
  'after a complete call': { calls: [good, inString], ends: 'length' },
};
/** Spellings of the same end: a service's words reach clients through gateways that do not translate them. */
const spellings = ['max_tokens', 'MAX_TOKENS', 'model_length', 'max_output_tokens', 'incomplete', 'token_limit'];
const spelled = Object.fromEntries(spellings.map((word) => [`in a string, ${word}`, length(inString, word)]));
const complete = { 'in a string, tool_calls': { calls: [inString], ends: 'tool_calls' } } satisfies Record<
  string,
  Sent
>;
const dropped = {
  'by a broken connection': { words: 'I write.', calls: [inString], ends: 'dropped' },
} satisfies Record<string, Sent>;

/** A model that sends this, and words ever after. */
async function server(sent: Sent): Promise<string> {
  let turns = 0;
  const { url } = await upstream(
    cuttingServer(() => (turns++ === 0 ? sent : { words: 'Done.', calls: [], ends: 'tool_calls' })),
  );
  return url;
}

type Run = (url: string, stream: boolean) => Promise<unknown[]>;

const aiModels = {
  'AI SDK, Chat': (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).chat('m'),
  'AI SDK, Responses': (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey: 'k' }).responses('m'),
  'AI SDK, Anthropic': (url: string) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'k' })('m'),
};
const aiSdk =
  (modelAt: (url: string) => Parameters<typeof wrapLanguageModel>[0]['model']): Run =>
  async (url, stream) => {
    const ran: unknown[] = [];
    const execute = (input: unknown): string => `${ran.push(input)}`;
    const tools = { [name]: aiTool({ description, inputSchema: jsonSchema(parameters), execute }) };
    const model = wrapLanguageModel({ model: modelAt(url), middleware: mendAiSdk() });
    const asked = { model, tools, prompt: 'Go.', maxRetries: 0, stopWhen: isStepCount(3) };
    try {
      if (!stream) await generateText(asked);
      else
        for await (const part of streamText({ ...asked, onError: () => {} }).fullStream)
          if (part.type === 'tool-call' && !part.invalid && JSON.stringify(part.input).includes('a.txt'))
            ran.push(part);
    } catch {}
    return ran;
  };

const plain = { model: 'm', apiKey: 'k', maxRetries: 0 };
const chains = {
  'LangChain, Chat': (url: string) => new ChatOpenAI({ ...plain, configuration: { baseURL: `${url}/v1` } }),
  'LangChain, Responses': (url: string) =>
    new ChatOpenAI({ ...plain, useResponsesApi: true, configuration: { baseURL: `${url}/v1` } }),
  'LangChain, Anthropic': (url: string) => new ChatAnthropic({ ...plain, anthropicApiUrl: url, maxTokens: 9 }),
};
type Chain = (typeof chains)[keyof typeof chains];
const chainTool = (ran: unknown[]) =>
  langChainTool((input: unknown) => `${ran.push(input)}`, { name, description, schema: parameters });
const langChain =
  (modelAt: Chain): Run =>
  async (url, stream) => {
    const ran: unknown[] = [];
    const made = createAgent({ model: modelAt(url), tools: [chainTool(ran)], middleware: [mendLangChain()] });
    const question = { messages: [{ role: 'user', content: 'Go.' }] };
    try {
      if (stream) for await (const _ of await made.stream(question, { streamMode: ['messages', 'values'] }));
      else await made.invoke(question);
    } catch {}
    return ran;
  };
/** The model alone: whoever reads its calls runs them. */
const langChainModel =
  (modelAt: Chain): Run =>
  async (url, stream) => {
    const model = mendModel(modelAt(url)).bindTools([chainTool([])]);
    let whole: AIMessageChunk | undefined;
    try {
      if (!stream) whole = await model.invoke('Go.');
      else for await (const chunk of await model.stream('Go.')) whole = whole ? whole.concat(chunk) : chunk;
    } catch {
      return [];
    }
    return (whole?.tool_calls ?? []).map(({ args }) => args);
  };

const agents =
  (useResponses: boolean): Run =>
  async (url, stream) => {
    const ran: unknown[] = [];
    const bare = new OpenAIProvider({ apiKey: 'k', baseURL: `${url}/v1`, useResponses });
    const runner = new Runner({ modelProvider: mendProvider(bare), tracingDisabled: true });
    const execute = (input: unknown): string => `${ran.push(input)}`;
    const loose = { ...parameters, required: [], additionalProperties: true as const };
    const tools = [agentTool({ name, description, strict: false, parameters: loose, execute })];
    try {
      const maker = new Agent({ name: 'A', model: 'm', tools });
      if (!stream) await runner.run(maker, 'Go.');
      else {
        const result = await runner.run(maker, 'Go.', { stream: true });
        for await (const _ of result);
        await result.completed;
      }
    } catch {}
    return ran;
  };

const own =
  (modelAt: (url: string) => Parameters<typeof agent>[0]['model']): Run =>
  async (url) => {
    const ran: unknown[] = [];
    const execute = (input: unknown): string => `${ran.push(input)}`;
    const tools = new Toolbox([tool({ name, description, inputSchema: parameters, execute: execute })]);
    await agent({ model: modelAt(url), tools }).run('Go.').result;
    return ran;
  };

const once = { model: 'm', apiKey: 'k', retry: { times: 0 } };
const frameworks: readonly (readonly [string, Run, streams?: readonly boolean[]])[] = [
  ...Object.entries(aiModels).map(([title, model]) => [title, aiSdk(model as never)] as const),
  ...Object.entries(chains).map(([title, model]) => [title, langChain(model as Chain)] as const),
  ...Object.entries(chains).map(
    ([title, model]) => [`${title}, the model alone`, langChainModel(model as Chain)] as const,
  ),
  ['OpenAI Agents, Chat', agents(false)],
  ['OpenAI Agents, Responses', agents(true)],
  ['agent loop, Chat', own((url) => openai({ ...once, baseURL: `${url}/v1` })), [true]],
  ['agent loop, Responses', own((url) => openai({ ...once, api: 'responses', baseURL: `${url}/v1` })), [true]],
  ['agent loop, Anthropic', own((url) => anthropic({ ...once, baseURL: url })), [true]],
  ['agent loop, Gemini', own((url) => gemini({ ...once, baseURL: url })), [true]],
  ['agent loop, Ollama', own((url) => ollama({ ...once, baseURL: url })), [true]],
];
const both: readonly boolean[] = [false, true];
const rows = frameworks.flatMap(([title, run, streams = both]) =>
  streams.map((stream) => [`${title}, ${stream ? 'streamed' : 'whole'}`, run, stream] as const),
);

/** Whole answers and APIs that carry objects show what was cut off as an object like any other. */
const isObjects = (title: string): boolean => /Anthropic,.*whole|Gemini|Ollama/.test(title);
const table = rows.flatMap(([title, run, stream]) =>
  Object.entries({ ...cuts, ...spelled, ...(!isObjects(title) && complete), ...dropped }).map(
    ([cut, sent]) => [`${title}: ${cut}`, run, stream, sent] as const,
  ),
);
const held = ([title, , , { ends }]: (typeof table)[number]): boolean => {
  if (ends === 'dropped' || /LangChain, Anthropic,.*whole: before any argument/.test(title)) return true;
  return !isObjects(title) && title !== 'AI SDK, Anthropic, streamed: before any argument';
};

const runsNothing = async (title: string, run: Run, stream: boolean, sent: Sent): Promise<void> => {
  const ran = await run(await server(sent), stream);
  // That SDK throws such an answer away, and it is asked for anew.
  const lost = title.startsWith('OpenAI Agents, Responses, whole');
  expect(ran).toEqual(sent.calls.length > 1 && !lost ? [good.value] : []);
};

describe('C2 a truncated call runs nothing', () => {
  it.each(table.filter((row) => !held(row)))('%s', runsNothing);
});

describe('guard: a truncated call runs nothing', () => {
  it.each(sampleOf(table.filter(held), 3))('%s', runsNothing);
});

const braceless = call('{"path": "a.txt", "content": "b"', { path: 'a.txt', content: 'b' });
const inText = `<tool_call>\n{"name": "write_file", "arguments": {"path": "a.txt"}}\n</tool_call>`;
/** Ends that don't say that the response is complete. */
const unfinished: Readonly<Record<string, Sent>> = {
  'a call in the text of a stream without an end': { words: inText, calls: [], ends: 'ended' },
  'a missing brace in a stream without an end': { calls: [braceless], ends: 'ended' },
};
const broken: Readonly<Record<string, Sent>> = {
  'a call in text that ended with content_filter': { words: inText, calls: [], ends: 'length', word: 'content_filter' },
  'a call in text that ended with failed': { words: inText, calls: [], ends: 'length', word: 'failed' },
  'a missing brace that ended with network_error': { calls: [braceless], ends: 'length', word: 'network_error' },
  'a missing brace that ended with cancelled': { calls: [braceless], ends: 'length', word: 'cancelled' },
};
const unfinishedRows = rows.flatMap(([title, run, stream]) =>
  Object.entries({ ...(stream && unfinished), ...(/Chat|Responses/.test(title) && broken) }).map(
    ([end, sent]) => [`${title}: ${end}`, run, stream, sent] as const,
  ),
);
const wasRefused = ([title]: (typeof unfinishedRows)[number]): boolean =>
  title.startsWith('OpenAI Agents, Responses') ||
  /^agent loop, (?!Chat.*a missing brace that)/.test(title) ||
  /^AI SDK.*missing brace in a stream/.test(title) ||
  (/a call in text that/.test(title) && !/Agents, Chat, whole|LangChain, Responses.*streamed.*failed/.test(title));

describe('F1 a response that may be incomplete runs nothing from its text, and no closer is inferred', () => {
  it.each(unfinishedRows.filter((row) => !wasRefused(row)))('%s', runsNothing);
});

describe('guard: a response that may be incomplete runs nothing', () => {
  it.each(sampleOf(unfinishedRows.filter(wasRefused), 3))('%s', runsNothing);
});

describe.each(rows)('guard: complete calls run: %s', (_, run, stream) => {
  it('two calls', async () => {
    expect(await run(await server({ words: 'I write.', calls: [good, good], ends: 'tool_calls' }), stream)).toEqual([
      good.value,
      good.value,
    ]);
  });
});
