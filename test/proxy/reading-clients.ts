import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import type { Format } from '../../src/model/index.ts';

/** What a client of the proxy has when an answer is over, or has broken off. */
export interface Received {
  text: string;
  calls: { name: string; arguments: unknown }[];
  finish: string;
  error?: string;
}

type Reading = (url: string, model: string, into: Received) => Promise<void>;

const schema = {
  type: 'object' as const,
  properties: {
    path: { type: 'string' as const },
    content: { type: 'string' as const },
    limit: { type: 'integer' as const },
    lines: { type: 'array' as const, items: { type: 'string' as const } },
  },
};
const name = 'write_file';
const messages = [{ role: 'user' as const, content: 'Write it.' }];
const settings = { apiKey: 'none', maxRetries: 0 };

const openai = (url: string): OpenAI => new OpenAI({ ...settings, baseURL: `${url}/v1` });
const chatTools = [{ type: 'function' as const, function: { name, parameters: schema } }];
const responsesAsk = (model: string) => ({
  model,
  input: 'Write it.',
  store: false,
  tools: [{ type: 'function' as const, name, parameters: schema, strict: false }],
});
const messagesAsk = (model: string) => ({ model, max_tokens: 9, messages, tools: [{ name, input_schema: schema }] });
const geminiAsk = (model: string) => ({
  model,
  contents: 'Write it.',
  config: { tools: [{ functionDeclarations: [{ name, parametersJsonSchema: schema }] }] },
});
const genai = (url: string): GoogleGenAI => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });

const takeResponse = ({ output, status, incomplete_details }: OpenAI.Responses.Response, into: Received): void => {
  into.finish = incomplete_details?.reason ?? status ?? '';
  for (const item of output) {
    if (item.type === 'function_call') into.calls.push({ name: item.name, arguments: item.arguments });
    if (item.type === 'message')
      for (const part of item.content) if (part.type === 'output_text') into.text += part.text;
  }
};

const takeMessage = ({ content, stop_reason }: Anthropic.Message, into: Received): void => {
  into.finish = stop_reason ?? '';
  for (const block of content) {
    if (block.type === 'text') into.text += block.text;
    if (block.type === 'tool_use') into.calls.push({ name: block.name, arguments: block.input });
  }
};

/** The providers' own packages: each reads an answer as its agents do, and keeps what it has where the answer breaks off. */
const readings: Readonly<Record<Format, { whole: Reading; streamed: Reading }>> = {
  'openai-chat': {
    async whole(url, model, into) {
      const { choices } = await openai(url).chat.completions.create({ model, messages, tools: chatTools });
      into.text = choices[0]?.message.content ?? '';
      into.finish = choices[0]?.finish_reason ?? '';
      for (const call of choices[0]?.message.tool_calls ?? [])
        if (call.type === 'function') into.calls.push(call.function);
    },
    async streamed(url, model, into) {
      const asked = { model, messages, tools: chatTools, stream: true as const };
      for await (const { choices } of await openai(url).chat.completions.create(asked)) {
        const [choice] = choices;
        into.text += choice?.delta.content ?? '';
        into.finish = choice?.finish_reason ?? into.finish;
        for (const { index, function: called } of choice?.delta.tool_calls ?? []) {
          const call = into.calls[index] ?? { name: called?.name ?? '', arguments: '' };
          into.calls[index] = call;
          call.arguments += called?.arguments ?? '';
        }
      }
    },
  },
  'openai-responses': {
    whole: async (url, model, into) => takeResponse(await openai(url).responses.create(responsesAsk(model)), into),
    async streamed(url, model, into) {
      const items = new Map<number, { name: string; arguments: string }>();
      const stream = await openai(url).responses.create({ ...responsesAsk(model), stream: true });
      try {
        for await (const event of stream) {
          if (event.type === 'error') throw new Error(event.message);
          if (event.type === 'response.output_text.delta') into.text += event.delta;
          if (event.type === 'response.output_item.added' && event.item.type === 'function_call')
            items.set(event.output_index, { name: event.item.name, arguments: '' });
          const item = 'output_index' in event ? items.get(event.output_index) : undefined;
          if (item && event.type === 'response.function_call_arguments.delta') item.arguments += event.delta;
          if (!('response' in event)) continue;
          const { status, incomplete_details: details, output } = event.response;
          into.finish = details?.reason ?? status ?? '';
          // What is told again at the end must not hold it either.
          const again = output.filter(({ type }) => type === 'function_call').length;
          if (status !== 'in_progress' && again > items.size)
            throw new Error('a call at the end that was not streamed');
        }
      } finally {
        into.calls.push(...items.values());
      }
    },
  },
  anthropic: {
    whole: async (url, model, into) =>
      takeMessage(await new Anthropic({ ...settings, baseURL: url }).messages.create(messagesAsk(model)), into),
    async streamed(url, model, into) {
      const stream = new Anthropic({ ...settings, baseURL: url }).messages.stream(messagesAsk(model));
      try {
        takeMessage(await stream.finalMessage(), into);
      } catch (error) {
        if (stream.currentMessage) takeMessage(stream.currentMessage as Anthropic.Message, into);
        throw error;
      }
    },
  },
  gemini: {
    async whole(url, model, into) {
      takeCandidate(await genai(url).models.generateContent(geminiAsk(model)), into);
    },
    async streamed(url, model, into) {
      for await (const chunk of await genai(url).models.generateContentStream(geminiAsk(model)))
        takeCandidate(chunk, into);
    },
  },
  ollama: {
    async whole(url, model, into) {
      takeLine(await new Ollama({ host: url }).chat({ model, messages, tools: chatTools as never }), into);
    },
    async streamed(url, model, into) {
      const asked = { model, messages, tools: chatTools as never, stream: true as const };
      for await (const line of await new Ollama({ host: url }).chat(asked)) takeLine(line, into);
    },
  },
};

type Candidates = Awaited<ReturnType<GoogleGenAI['models']['generateContent']>>;

function takeCandidate({ candidates }: Candidates, into: Received): void {
  const [first] = candidates ?? [];
  for (const { text = '', functionCall } of first?.content?.parts ?? []) {
    into.text += text;
    if (functionCall) into.calls.push({ name: functionCall.name ?? '', arguments: functionCall.args });
  }
  into.finish = first?.finishReason ?? into.finish;
}

function takeLine(line: Awaited<ReturnType<Ollama['chat']>>, into: Received): void {
  into.text += line.message.content;
  for (const { function: called } of line.message.tool_calls ?? []) into.calls.push({ ...called });
  into.finish = line.done_reason ?? into.finish;
}

/** Asks through the package of an API format, and gives what it has in the end. */
export async function received(format: Format, streamed: boolean, url: string, model: string): Promise<Received> {
  const into: Received = { text: '', calls: [], finish: '' };
  try {
    await readings[format][streamed ? 'streamed' : 'whole'](url, model, into);
  } catch (error) {
    into.error = error instanceof Error ? error.message : String(error);
  }
  return into;
}
