/** Every entrance that reads words: asked one question, and what came of the answer. */
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, tool as agentTool, OpenAIProvider, Runner } from '@openai/agents';
import { tool as aiTool, generateText, isStepCount, jsonSchema, streamText, wrapLanguageModel } from 'ai';
import { createAgent, tool as langchainTool } from 'langchain';
import { mendMiddleware as aiMiddleware } from '../../src/adapter/ai-sdk/index.ts';
import { mendMiddleware as langchainMiddleware } from '../../src/adapter/langchain/index.ts';
import { mendProvider } from '../../src/adapter/openai-agents/index.ts';
import { decodeLine } from '../../src/cli/decode/command.ts';
import { ToolboxCache } from '../../src/cli/shared/toolbox-cache.ts';
import type { ContextMessage } from '../../src/dialect/index.ts';
import { readCalls } from '../../src/dialect/read-calls.ts';
import type { Message, TurnRequest } from '../../src/model/index.ts';
import { scripted } from '../../src/provider/scripted/scripted.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { textModel } from '../../src/provider/text-model.ts';
import { anthropicMessages } from '../../src/provider/wire/anthropic/index.ts';
import { geminiContent } from '../../src/provider/wire/gemini/index.ts';
import { ollamaChat } from '../../src/provider/wire/ollama/index.ts';
import { openaiChat } from '../../src/provider/wire/openai-chat/index.ts';
import { openaiResponses } from '../../src/provider/wire/openai-responses/index.ts';
import type { Provider } from '../../src/provider/wire/types.ts';
import { createProxy } from '../../src/proxy/server.ts';
import { agent } from '../../src/run/agent.ts';
import { tool } from '../../src/tools/tool.ts';
import type { CaseTool } from './case.ts';
import { readArrived } from './plain-client.ts';
import { act, stage, toolboxOf } from './toolbox-of.ts';

/** A question and its answer. */
export interface WordsAsked {
  readonly tools: readonly CaseTool[];
  /** What the user says, which may hold what a tool or a page said. */
  readonly user: string;
  readonly answer: string;
  /** What the first tool gave back when it was called before, with a native call. */
  readonly result?: string;
  readonly toolChoice?: 'none';
  readonly json?: boolean;
}

/** What came of the answer: the calls that were made or would be, and the words as they arrived. */
export interface WordsSeen {
  readonly calls: readonly string[];
  readonly text: string;
}

export interface WordDoor {
  readonly name: string;
  /** It has a way to say that no call is wanted, and that the words are to be JSON. */
  readonly settings: readonly ('none' | 'json')[];
  ask(one: WordsAsked): Promise<WordsSeen>;
}

const usage = { input: 1, output: 1 };
/** A server whose first answer is the one in question. */
async function served<T>(one: WordsAsked, use: (url: string, runs: Runs) => Promise<T>): Promise<T> {
  const server = await serveScripted((_, turn) => ({ ...turnOf(one, turn), chunk: 7, usage }));
  try {
    return await use(server.url, runsOf(one));
  } finally {
    await server.close();
  }
}

/** The tool is called first, where a result is to be shown. */
function turnOf({ answer, result, tools }: WordsAsked, turn: number) {
  const [first] = tools;
  if (result !== undefined && turn === 0)
    return { calls: [{ name: first?.name ?? '', arguments: '{"path":"page.html"}' }] };
  return { text: turn === (result === undefined ? 0 : 1) ? answer : 'Done.' };
}

/** How tools run: the first call gives the result, and those behind it count. */
interface Runs {
  act(tool: CaseTool, input: unknown): unknown;
  readonly calls: string[];
}

function runsOf({ result }: WordsAsked): Runs {
  const on = stage();
  let shown = result === undefined;
  const calls: string[] = [];
  return {
    calls,
    act(tool, input) {
      if (!shown) {
        shown = true;
        return result;
      }
      calls.push(tool.name);
      return act(tool, input, on);
    },
  };
}

/** The conversation before the answer. */
const before = ({ user, result, tools: [first] }: WordsAsked): ContextMessage[] => {
  const calls = [{ name: first?.name ?? '', arguments: { path: 'page.html' } }];
  const told = [
    { role: 'assistant', content: '', calls },
    { role: 'tool', content: result ?? '' },
  ];
  return [{ role: 'user', content: user }, ...(result === undefined ? [] : told)];
};

const definitions = ({ tools }: WordsAsked): object[] =>
  tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));

const library = (chunk?: number): WordDoor => ({
  name: `library, in pieces of ${chunk ?? 'all'}`,
  settings: [],
  async ask(one) {
    const context = before(one);
    const { calls, text } = readCalls(one.answer, toolboxOf(one), { context, ...(chunk && { chunk }) });
    return { calls: calls.map(({ name }) => name), text };
  },
});

const decode: WordDoor = {
  name: 'decode',
  settings: [],
  async ask(one) {
    const line = { id: 1, text: one.answer, tools: definitions(one), context: before(one) };
    const { calls, text } = JSON.parse(decodeLine(JSON.stringify(line), new ToolboxCache(), {})) as {
      calls: readonly { name: string }[];
      text: string;
    };
    return { calls: calls.map(({ name }) => name), text };
  },
};

const loop = (inText: boolean): WordDoor => ({
  name: inText ? 'agent loop, on a text model' : 'agent loop',
  settings: ['none', 'json'],
  async ask(one) {
    const runs = runsOf(one);
    const plays = scripted((_, turn) => ({ ...turnOf(one, turn), chunk: 7 }));
    const settings = {
      ...(one.toolChoice && { toolChoice: one.toolChoice }),
      ...(one.json && { output: { type: 'json' } }),
    };
    const model = inText ? textModel(plays) : plays;
    const tools = one.tools.map((each) =>
      tool({
        name: each.name,
        description: each.description,
        inputSchema: each.inputSchema,
        execute: (input: unknown) => runs.act(each, input),
      }),
    );
    const run = agent({ model, tools, redact: false, traces: false, modelSettings: settings }).run(one.user);
    await run.result;
    const said = run.messages().filter(({ role }) => role === 'assistant')[one.result === undefined ? 0 : 1];
    const words = said?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
    return { calls: runs.calls, text: words };
  },
});

const aiSdk = (stream: boolean): WordDoor => ({
  name: `AI SDK, ${stream ? 'streamed' : 'complete'}`,
  settings: ['none'],
  ask: (one) =>
    served(one, async (url, runs) => {
      const bare = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted');
      const tools = Object.fromEntries(
        one.tools.map((each) => [
          each.name,
          aiTool({
            description: each.description,
            inputSchema: jsonSchema(each.inputSchema as Parameters<typeof jsonSchema>[0]),
            execute: async (input) => runs.act(each, input),
          }),
        ]),
      );
      const model = wrapLanguageModel({ model: bare, middleware: aiMiddleware() });
      const choice = one.toolChoice && { toolChoice: one.toolChoice };
      const settings = { model, tools, prompt: one.user, maxRetries: 0, stopWhen: isStepCount(4), ...choice };
      const text = await (stream ? streamText(settings).text : (await generateText(settings)).text);
      return { calls: runs.calls, text };
    }),
});

const langchain = (stream: boolean): WordDoor => ({
  name: `LangChain, ${stream ? 'streamed' : 'complete'}`,
  settings: [],
  ask: (one) =>
    served(one, async (url, runs) => {
      const configuration = { baseURL: `${url}/v1` };
      const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration });
      const tools = one.tools.map((each) =>
        langchainTool((input: unknown) => runs.act(each, input) as string, {
          name: each.name,
          description: each.description,
          schema: each.inputSchema as object,
        }),
      );
      const asked = createAgent({ model, tools, middleware: [langchainMiddleware()] });
      const question = { messages: [{ role: 'user' as const, content: one.user }] };
      let text = '';
      if (stream) {
        for await (const [chunk] of await asked.stream(question, { streamMode: 'messages' }))
          if (chunk.type === 'ai' && runs.calls.length === 0) text += chunk.text;
      } else {
        const { messages } = await asked.invoke(question);
        text = messages.findLast(({ type }) => type === 'ai')?.text ?? '';
      }
      return { calls: runs.calls, text };
    }),
});

const agents = (useResponses: boolean, stream: boolean): WordDoor => ({
  name: `OpenAI Agents, ${useResponses ? 'responses' : 'chat'}, ${stream ? 'streamed' : 'complete'}`,
  settings: ['none'],
  ask: (one) =>
    served(one, async (url, runs) => {
      const bare = new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses });
      const runner = new Runner({ modelProvider: mendProvider(bare), tracingDisabled: true });
      const tools = one.tools.map((each) =>
        agentTool({
          name: each.name,
          description: each.description,
          strict: false,
          parameters: each.inputSchema as never,
          execute: async (input: unknown) => runs.act(each, input),
        }),
      );
      const modelSettings = { ...(one.toolChoice && { toolChoice: one.toolChoice }) };
      const asked = new Agent({ name: 'Words', model: 'scripted', tools, modelSettings });
      let text = '';
      if (stream) {
        const run = await runner.run(asked, one.user, { stream });
        for await (const event of run)
          if (
            event.type === 'raw_model_stream_event' &&
            event.data.type === 'output_text_delta' &&
            runs.calls.length === 0
          )
            text += event.data.delta;
        await run.completed;
      } else text = String((await runner.run(asked, one.user)).finalOutput ?? '');
      return { calls: runs.calls, text };
    }),
});

const bases: Readonly<Record<string, string>> = { 'openai-chat': '/v1', 'openai-responses': '/v1', gemini: '/v1beta' };

const messagesOf = ({ user, result, tools: [first] }: WordsAsked): Message[] => {
  const name = first?.name ?? '';
  const told: Message[] = [
    { role: 'assistant', parts: [{ type: 'call', id: 'c1', name, arguments: { path: 'page.html' } }] },
    {
      role: 'user',
      parts: [{ type: 'result', callId: 'c1', name, content: [{ type: 'text', text: result ?? '' }] }],
    },
  ];
  return [{ role: 'user', parts: [{ type: 'text', text: user }] }, ...(result === undefined ? [] : told)];
};

const proxy = (wire: Provider, stream: boolean): WordDoor => ({
  name: `proxy, ${wire.format}, ${stream ? 'streamed' : 'complete'}`,
  // Ollama's wire has no word for it.
  settings: wire === ollamaChat ? ['json'] : ['none', 'json'],
  ask: (one) =>
    served({ tools: one.tools, user: one.user, answer: one.answer }, async (url) => {
      const running = await createProxy({ upstreams: [{ url, formats: [wire.format] }] }).listen();
      try {
        const request: TurnRequest = {
          model: 'm',
          stream,
          messages: messagesOf(one),
          tools: one.tools.map(({ name, description, inputSchema: schema }) => ({
            type: 'function',
            name,
            description,
            schema,
          })),
          ...(one.toolChoice && { toolChoice: one.toolChoice }),
          ...(one.json && { output: { type: 'schema', schema: { type: 'object' } } }),
        };
        const path = wire.pathOf(request);
        const base = bases[wire.format] ?? '';
        const answer = await fetch(running.url + (path.startsWith(base) ? path : base + path), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(wire.writeRequest(request).wire),
        });
        const { calls, text } = readArrived(wire.format, await answer.text(), stream);
        return { calls: calls.map(({ name }) => name), text };
      } finally {
        await running.close();
      }
    }),
});

export const wordDoors: readonly WordDoor[] = [
  library(),
  library(7),
  decode,
  loop(false),
  loop(true),
  aiSdk(false),
  aiSdk(true),
  langchain(false),
  langchain(true),
  agents(false, false),
  agents(false, true),
  agents(true, false),
  agents(true, true),
  ...[openaiChat, openaiResponses, anthropicMessages, geminiContent, ollamaChat].flatMap((wire) => [
    proxy(wire, false),
    proxy(wire, true),
  ]),
];
