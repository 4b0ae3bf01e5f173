import type { Model } from '@openai/agents-core';
import type { AgentsOptions } from './agents-options.ts';
import { mendedModel } from './mended-model.ts';

/**
 * Wraps a model of the SDK: its calls arrive mended, calls in its words are read, and it is told what is wrong with those
 * that can't be mended.
 *
 * @example
 * const model = mendModel(new OpenAIChatCompletionsModel(client, 'some-model'));
 * const agent = new Agent({ name: 'Files', model, tools });
 */
export const mendModel = (model: Model, options: AgentsOptions = {}): Model => mendedModel(model, options, new Map());
