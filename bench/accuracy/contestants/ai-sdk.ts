import { createOpenAI } from '@ai-sdk/openai';
import { generateText, InvalidToolInputError, isStepCount, jsonSchema, type ToolSet, tool } from 'ai';
import type { Definition } from '../../../test/damage/definition.ts';
import { valid } from '../../../test/damage/valid.ts';
import type { Stage } from '../../one-call-model.ts';
import type { Contestant } from '../contestant.ts';
import { type ScriptedModel, steps } from '../scripted-model.ts';

/** The AI SDK's own loop over complete responses, alone or with a `repairToolCall` that repairs the text of bad inputs. */
export function aiSdk(model: ScriptedModel, repair?: (text: string) => string): Contestant {
  const run = async ({ baseUrl, work }: Stage, tools: readonly Definition[]): Promise<void> => {
    await generateText({
      model: createOpenAI({ baseURL: baseUrl, apiKey: 'none' }).chat('scripted'),
      tools: toolSet(tools, work),
      prompt: 'Go on.',
      maxRetries: 0,
      stopWhen: isStepCount(steps),
      ...(repair && {
        repairToolCall: async ({ toolCall, error }) =>
          InvalidToolInputError.isInstance(error) ? { ...toolCall, input: repair(toolCall.input) } : null,
      }),
    });
  };
  return {
    name: repair ? 'AI SDK + jsonrepair' : 'AI SDK',
    how: repair
      ? 'the same, with jsonrepair in `repairToolCall`'
      : '`generateText`, tools with JSON Schema, validated by ajv',
    packages: ['ai', '@ai-sdk/openai', ...(repair ? ['jsonrepair'] : [])],
    answer: (tools, call) => model.play(call, (stage) => run(stage, tools)),
  };
}

const toolSet = (tools: readonly Definition[], work: Stage['work']): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => {
      const validate = (value: unknown) =>
        valid(value, inputSchema)
          ? ({ success: true, value } as const)
          : ({ success: false, error: new Error('It does not fit the schema') } as const);
      const schema = jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0], { validate });
      return [name, tool({ description, inputSchema: schema, execute: (input) => work(name, input) })];
    }),
  );
