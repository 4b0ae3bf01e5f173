import { createOpenAI } from '@ai-sdk/openai';
import { generateText, isStepCount, jsonSchema, type ToolSet, tool, wrapLanguageModel } from 'ai';
import { mendMiddleware } from '../../src/adapter/ai-sdk/mend-middleware.ts';
import { valid } from '../../test/damage/valid.ts';
import type { Framework } from './framework.ts';

/** The AI SDK as its users run it: every tool with a validator, complete responses, and its own loop. */
export const framework: Framework = {
  name: 'AI SDK 7',
  page: 'docs/guides/ai-sdk.md',
  async run({ baseUrl, model: name, tools: definitions, work, adapted, steps }) {
    const own = createOpenAI({ baseURL: baseUrl, apiKey: 'none' }).chat(name);
    const model = adapted ? wrapLanguageModel({ model: own, middleware: mendMiddleware() }) : own;
    const tools: ToolSet = Object.fromEntries(
      definitions.map(({ name: called, description, inputSchema }) => {
        const validate = (value: unknown) =>
          valid(value, inputSchema)
            ? ({ success: true, value } as const)
            : ({ success: false, error: new Error('It does not fit the schema') } as const);
        const schema = jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0], { validate });
        return [called, tool({ description, inputSchema: schema, execute: (input) => work(called, input) })];
      }),
    );
    await generateText({ model, tools, prompt: 'Go on.', maxRetries: 0, stopWhen: isStepCount(steps) });
  },
};
