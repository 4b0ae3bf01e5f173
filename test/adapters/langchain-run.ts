import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { type AgentMiddleware, createAgent, tool } from 'langchain';
import { z } from 'zod';
import { type ServedRequest, type ServedTurn, serveScripted } from '../../src/provider/scripted/index.ts';

const plain = { model: 'm', apiKey: 'none', maxRetries: 0 };

/** Each provider's package as LangChain has it, before a scripted server. */
export const wires = {
  'OpenAI Chat': (url: string, more: { streaming?: boolean } = {}) =>
    new ChatOpenAI({ ...plain, ...more, configuration: { baseURL: `${url}/v1` } }),
  'OpenAI Responses': (url: string, more: { streaming?: boolean } = {}) =>
    new ChatOpenAI({ ...plain, ...more, useResponsesApi: true, configuration: { baseURL: `${url}/v1` } }),
  Anthropic: (url: string, more: { streaming?: boolean } = {}) =>
    new ChatAnthropic({ ...plain, ...more, anthropicApiUrl: url, maxTokens: 1000 }),
};
export type WireName = keyof typeof wires;

/** What came of a run. */
export interface Ran {
  /** The tools that ran, with what they were given. */
  readonly ran: readonly (readonly [string, unknown])[];
  /** What the model was told of calls and tools that failed. */
  readonly told: readonly string[];
  /** The last words; the error's where the run threw. */
  readonly last: string;
  readonly threw: boolean;
  readonly messages: readonly BaseMessage[];
  readonly requests: readonly ServedRequest[];
}

/** How a run is made. */
export interface RunSettings {
  readonly middleware?: readonly AgentMiddleware[];
  readonly streams?: boolean;
  readonly wire?: WireName;
}

const schemas = {
  write_file: z.object({ path: z.string(), content: z.string(), lines: z.number().optional() }),
  now: z.object({}),
  tag: z.object({ tags: z.array(z.string()) }),
  fails: z.object({}),
};

/** A run of a real agent, with four tools, on a model that plays these turns. */
export async function runAgent(turns: readonly ServedTurn[], settings: RunSettings = {}): Promise<Ran> {
  const { middleware = [], streams = false, wire = 'OpenAI Chat' } = settings;
  const server = await serveScripted(turns);
  const ran: [string, unknown][] = [];
  const tools = Object.entries(schemas).map(([name, schema]) =>
    tool(
      (input: unknown) => {
        ran.push([name, input]);
        if (name === 'fails') throw new Error('The disk is full');
        return 'done';
      },
      { name, description: `The tool ${name}`, schema: schema as z.ZodObject },
    ),
  );
  let messages: BaseMessage[] = [];
  try {
    const agent = createAgent({ model: wires[wire](server.url), tools, middleware });
    const question = { messages: [{ role: 'user', content: 'Go on.' }] };
    if (streams) {
      for await (const [mode, said] of await agent.stream(question, { streamMode: ['messages', 'values'] })) {
        if (mode === 'values') messages = (said as { messages: BaseMessage[] }).messages;
      }
    } else ({ messages } = await agent.invoke(question));
    return { ...seen(messages), ran, threw: false, requests: server.requests };
  } catch (error) {
    const last = error instanceof Error ? error.message : String(error);
    return { ...seen(messages), last, ran, threw: true, requests: server.requests };
  } finally {
    await server.close();
  }
}

const seen = (messages: readonly BaseMessage[]): Pick<Ran, 'messages' | 'told' | 'last'> => ({
  messages,
  told: messages.flatMap((one) => ('status' in one && one.status === 'error' ? [one.text] : [])),
  last: messages.at(-1)?.text ?? '',
});
