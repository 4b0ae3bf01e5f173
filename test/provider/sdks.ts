import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama';
import OpenAI from 'openai';

/** What an SDK made of an answer. */
export interface Seen {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly input: number | undefined;
  readonly output: number | undefined;
}

export interface Sdk {
  whole(url: string): Promise<Seen>;
  stream(url: string): Promise<Seen>;
}

const apiKey = 'none';
const maxRetries = 0;
const parameters = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, days: { type: 'integer' as const } },
};
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
const responsesAsk = {
  model: 'm',
  input: 'Weather?',
  tools: [{ type: 'function' as const, name: 'get_weather', parameters, strict: false }],
};
const geminiAsk = {
  model: 'm',
  contents: 'Weather?',
  config: { tools: [{ functionDeclarations: [{ name: 'get_weather', parametersJsonSchema: parameters }] }] },
};
const geminiOf = (url: string): GoogleGenAI => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });

/** The providers' own packages, each asked for the weather with a tool to find it out. */
export const sdks: Record<string, Sdk> = {
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
    whole: async (url) => responseSeen(await openaiOf(url).responses.create(responsesAsk)),
    async stream(url) {
      const stream = openaiOf(url).responses.stream(responsesAsk);
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

const ollamaAsk = { model: 'm', messages: user, tools: chatTools as never };
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
