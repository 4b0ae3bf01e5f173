import type { Model, ModelRequest, ModelResponse, StreamEvent } from '@openai/agents-core';
import type { MendOptions } from '../mend-options.ts';
import { askStreamed } from './ask-streamed.ts';
import { isCutOff } from './cut-off.ts';
import { cutLast, finishOf } from './finish-of.ts';
import type { Answer } from './settle.ts';

/** An answer that came whole; without `response` it was asked for as a stream. */
export interface WholeAnswer extends Answer {
  readonly response?: ModelResponse;
}

/**
 * Asks a model for whole answers. Where the SDK throws a cut-off one away, with the call in it, the question is asked once
 * more as a stream, where that can be seen.
 */
export function askWhole(
  model: Model,
  options: MendOptions,
): (request: ModelRequest) => AsyncGenerator<StreamEvent, WholeAnswer> {
  return async function* (request) {
    try {
      const response = await model.getResponse(request);
      const { output: came, providerData, responseId, usage } = response;
      const finish = finishOf(providerData, came);
      const output = finish === 'length' ? cutLast(came, providerData) : came;
      return { response, output, finish, id: responseId, usage };
    } catch (error) {
      if (!isCutOff(error)) throw error;
    }
    return yield* askStreamed(model, options)(request);
  };
}
