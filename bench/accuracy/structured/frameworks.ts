/** The structured output of the frameworks through their own calls, without and with our adapters. */
import { createOpenAI } from '@ai-sdk/openai';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, type JsonSchemaDefinition, OpenAIProvider, Runner } from '@openai/agents';
import { generateText, jsonSchema, Output, wrapLanguageModel } from 'ai';
import { mendMiddleware } from '../../../src/adapter/ai-sdk/index.ts';
import { mendModel } from '../../../src/adapter/langchain/index.ts';
import { mendProvider } from '../../../src/adapter/openai-agents/index.ts';
import type { SchemaObject } from '../../../src/schema/types.ts';
import { valid } from '../../../test/damage/valid.ts';
import type { Contestant } from '../contestant.ts';
import type { TextModel } from './text-model.ts';

/** Reads the response of a model as a value of a schema. Throws if it is refused. */
export type ReadOutput = (baseUrl: string, schema: SchemaObject) => Promise<unknown>;

/** A framework as a contestant. What it returns is checked by ajv, because not every framework checks JSON Schemas. */
export const outputReader = (model: TextModel, about: Omit<Contestant, 'answer'>, read: ReadOutput): Contestant => ({
  ...about,
  async answer(tools, { name, arguments: text, finishReason = 'stop' }) {
    const schema = tools.find((one) => one.name === name)?.inputSchema;
    if (!schema) return [];
    try {
      const input = await read(model.next({ text, finish: finishReason }), schema);
      return valid(input, schema) ? [{ name, input: structuredClone(input) }] : [];
    } catch {
      return [];
    }
  },
});

const prompt = 'Go on.';
const aiSdk =
  (mends: boolean): ReadOutput =>
  async (baseURL, schema) => {
    const model = createOpenAI({ baseURL, apiKey: 'none' }).chat('scripted');
    const validate = (value: unknown) =>
      valid(value, schema)
        ? ({ success: true, value } as const)
        : ({ success: false, error: new Error('It does not fit the schema') } as const);
    const { output } = await generateText({
      model: mends ? wrapLanguageModel({ model, middleware: mendMiddleware() }) : model,
      output: Output.object({ schema: jsonSchema(schema as Parameters<typeof jsonSchema>[0], { validate }) }),
      prompt,
      maxRetries: 0,
    });
    return output;
  };

const langchain =
  (mends: boolean): ReadOutput =>
  (baseURL, schema) => {
    const model = new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration: { baseURL } });
    // The client rejects a schema without a title.
    const titled: Record<string, unknown> = { title: 'output', ...schema };
    const options = { method: 'jsonSchema' } as const;
    const reads = mends
      ? mendModel(model).withStructuredOutput(titled, options)
      : model.withStructuredOutput(titled, options);
    return reads.invoke(prompt);
  };

const openaiAgents =
  (mends: boolean): ReadOutput =>
  async (baseURL, schema) => {
    const provider = new OpenAIProvider({ baseURL, apiKey: 'none', useResponses: false });
    const runner = new Runner({ modelProvider: mends ? mendProvider(provider) : provider, tracingDisabled: true });
    const outputType: JsonSchemaDefinition = {
      type: 'json_schema',
      name: 'output',
      strict: false,
      schema: schema as JsonSchemaDefinition['schema'],
    };
    const agent = new Agent({ name: 'Agent', model: 'scripted', outputType });
    return (await runner.run(agent, prompt, { maxTurns: 2 })).finalOutput;
  };

/** Each framework without its adapter, then with it. */
export const frameworks = (model: TextModel): readonly Contestant[] =>
  (
    [
      ['AI SDK', '`generateText` with `Output.object`', ['ai', '@ai-sdk/openai'], aiSdk],
      [
        'LangChain',
        "`withStructuredOutput` with `method: 'jsonSchema'`, then ajv",
        ['@langchain/core', '@langchain/openai'],
        langchain,
      ],
      ['OpenAI Agents', '`outputType` with a JSON Schema, then ajv', ['@openai/agents'], openaiAgents],
    ] as const
  ).flatMap(([name, how, packages, reader]) => [
    outputReader(model, { name, how, packages }, reader(false)),
    outputReader(
      model,
      { name: `${name} + Toolmend`, how: 'the same, with the adapter of Toolmend', packages },
      reader(true),
    ),
  ]);
