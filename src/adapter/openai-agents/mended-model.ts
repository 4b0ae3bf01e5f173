import type { Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents-core';
import type { AgentsOptions } from './agents-options.ts';
import { askStreamed } from './ask-streamed.ts';
import type { Owed } from './conversation.ts';
import { finishOf } from './finish-of.ts';
import { type Answer, settle } from './settle.ts';
import { sumUsage, sumUsageData } from './sum-usage.ts';

interface WholeAnswer extends Answer {
  readonly response: ModelResponse;
}

/** A model of the SDK whose answers are settled before the SDK has them. */
export function mendedModel(model: Model, options: AgentsOptions, owed: Owed): Model {
  // biome-ignore lint/correctness/useYield: nothing of a whole answer streams
  async function* askWhole(request: ModelRequest): AsyncGenerator<StreamEvent, WholeAnswer> {
    const response = await model.getResponse(request);
    const { output, providerData, responseId } = response;
    return { response, output, finish: finishOf(providerData, output), id: responseId };
  }
  return {
    ...(model.supportsPromptModelSelection !== undefined && {
      supportsPromptModelSelection: model.supportsPromptModelSelection,
    }),
    async getResponse(request) {
      const { answers, output } = await lastOf(settle(request, options, owed, askWhole));
      const { response } = answers.at(-1) as WholeAnswer;
      return { ...response, output, usage: sumUsage(answers.map((answer) => answer.response.usage)) };
    },
    async *getStreamedResponse(request) {
      const asked = askStreamed(model, options);
      const { answers, output } = yield* settle(request, options, owed, asked);
      const done = answers.at(-1)?.done;
      if (!done) return;
      const usage = sumUsageData(answers.flatMap((answer) => answer.done?.response.usage ?? []));
      // Its items are those that came and calls, which are all of the kinds that an answer may hold.
      yield { ...done, response: { ...done.response, output: output as typeof done.response.output, usage } };
    },
    ...(model.getRetryAdvice && { getRetryAdvice: (args) => model.getRetryAdvice?.(args) }),
  };
}

/** What a generator returns, when all that it yields is let go. */
async function lastOf<T>(steps: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value as T;
  }
}
