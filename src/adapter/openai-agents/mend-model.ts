import type { Model, ModelProvider, StreamEvent } from '@openai/agents-core';
import { checkArgument } from '../../json/value.ts';
import { askComplete, askStreamed } from './ask-model.ts';
import type { Owed } from './conversation.ts';
import type { AgentsOptions } from './options.ts';
import { retryLoop, type Settled, sumSdkUsage, sumUsage, type UsageData } from './retry-loop.ts';

/**
 * Wraps an SDK model: mends its calls, reads calls in text, and gives feedback about calls that can't be mended.
 *
 * @example
 * const model = mendModel(new OpenAIChatCompletionsModel(client, 'some-model'));
 * const agent = new Agent({ name: 'Files', model, tools });
 */
export function mendModel(model: Model, options: AgentsOptions = {}): Model {
  checkArgument(typeof model?.getResponse === 'function', 'model', 'a model of the SDK', model);
  return mendedModel(model, options, new Map());
}

/**
 * Wraps an SDK model provider, so that each model is wrapped with `mendModel`.
 *
 * @example
 * const runner = new Runner({ modelProvider: mendProvider(new OpenAIProvider()) });
 */
export function mendProvider(provider: ModelProvider, options: AgentsOptions = {}): ModelProvider {
  checkArgument(typeof provider?.getModel === 'function', 'provider', 'a model provider of the SDK', provider);
  const owed: Owed = new Map();
  return { getModel: async (name) => mendedModel(await provider.getModel(name), options, owed) };
}

/** An SDK model whose responses are settled before the SDK gets them. */
export function mendedModel(model: Model, options: AgentsOptions, owed: Owed): Model {
  const { supportsPromptModelSelection, getRetryAdvice } = model;
  return {
    async getResponse(request) {
      const settled = await lastOf(retryLoop(request, options, owed, askComplete(model, options)));
      const { response, id } = settled.last;
      const from = response ?? (id === undefined ? {} : { responseId: id });
      return { ...from, output: settled.output, usage: sumSdkUsage(usagesOf(settled)) };
    },
    async *getStreamedResponse(request): AsyncGenerator<StreamEvent, void> {
      const settled = yield* retryLoop(request, options, owed, askStreamed(model, options));
      const { done } = settled.last;
      if (!done) return;
      // All items are of types that a response can contain.
      const output = settled.output as typeof done.response.output;
      const usage = settled.answers.length > 1 ? sumUsage(usagesOf(settled)) : done.response.usage;
      yield { ...done, response: { ...done.response, output, usage } };
    },
    ...(supportsPromptModelSelection !== undefined && { supportsPromptModelSelection }),
    ...(getRetryAdvice && { getRetryAdvice: (args) => getRetryAdvice.call(model, args) }),
  };
}

const usagesOf = ({ answers }: Settled): UsageData[] => answers.flatMap(({ usage }) => usage ?? []);

/** The return value of a generator, ignoring what it yields. */
async function lastOf<T>(steps: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value as T;
  }
}
