import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, streamText, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { mendMiddleware } from '../../src/adapter/ai-sdk/index.ts';
import { isObject } from '../../src/json/value.ts';
import type { Case } from './case.ts';
import { inputOf } from './entrance.ts';
import { framework, type Play } from './framework.ts';
import { act, type Stage } from './toolbox-of.ts';

const most = 5;

const play =
  (stream: boolean): Play =>
  async (url, one, on, onCall) => {
    const own = createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('scripted');
    const model = wrapLanguageModel({ model: own, middleware: mendMiddleware({ onCall }) });
    const settings = { model, tools: toolsOf(one, on), prompt: 'Go on.', maxRetries: 0, stopWhen: isStepCount(most) };
    await (stream ? streamText({ ...settings, onError: () => {} }).text : generateText(settings));
  };

/** The tools of a case, as the SDK has them. */
const toolsOf = ({ tools }: Case, on: Stage): ToolSet =>
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

/** The AI SDK with its middleware, whole and streamed. */
export const aiSdk = [
  framework({ name: 'AI SDK, whole', column: 'AI SDK' }, play(false), { unwrap }),
  framework({ name: 'AI SDK, streamed', column: 'AI SDK' }, play(true), { unwrap }),
];
