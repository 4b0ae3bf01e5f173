import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { mendMiddleware, toAiTools } from '../../src/adapter/ai-sdk/index.ts';
import { isObject } from '../../src/json/value.ts';
import { inputOf } from './entrance.ts';
import { type Conversation, framework, ownTools, type Play } from './framework.ts';
import { act } from './toolbox-of.ts';

const most = 5;

const play =
  (stream: boolean, toolsOf: (conversation: Conversation) => ToolSet): Play =>
  async (conversation) => {
    const { url, onCall } = conversation;
    const bare = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted');
    const model = wrapLanguageModel({ model: bare, middleware: mendMiddleware({ onCall }) });
    const settings = {
      model,
      tools: toolsOf(conversation),
      prompt: 'Go on.',
      maxRetries: 0,
      stopWhen: isStepCount(most),
    };
    await (stream ? streamText({ ...settings, onError: () => {} }).text : generateText(settings));
  };

/** The tools of a case, as the SDK has them. */
const own = ({ one: { tools }, on }: Conversation): ToolSet =>
  Object.fromEntries(
    tools.map((one) => [
      one.name,
      tool({
        description: one.description,
        inputSchema: jsonSchema(one.inputSchema as Parameters<typeof jsonSchema>[0]),
        execute: async (input) => act(one, input, on),
      }),
    ]),
  );

/** The SDK's own client of this wire, which has no mark for errors, writes them as `{"error": words}`. */
function unwrap(words: string): string {
  const value = inputOf(words);
  return isObject(value) && typeof value.error === 'string' ? value.error : words;
}

const ours = ({ toolbox, running }: Conversation): ToolSet => toAiTools(toolbox, running);

const over = (name: string, play: Play, cannot = {}) =>
  framework({ name: `AI SDK, ${name}`, column: 'AI SDK' }, play, { unwrap, cannot });

/** The AI SDK with its middleware, whole and streamed, with tools of its own and with those of a toolbox. */
export const aiSdk = [
  over('complete', play(false, own), ownTools),
  over('streamed', play(true, own), ownTools),
  over('toolbox tools', play(true, ours)),
];
