import type { ModelProvider } from '@openai/agents-core';
import type { AgentsOptions } from './agents-options.ts';
import type { Owed } from './conversation.ts';
import { mendedModel } from './mended-model.ts';

/**
 * Wraps a model provider of the SDK: each of its models is wrapped as by `mendModel`.
 *
 * @example
 * const runner = new Runner({ modelProvider: mendProvider(new OpenAIProvider()) });
 */
export function mendProvider(provider: ModelProvider, options: AgentsOptions = {}): ModelProvider {
  const owed: Owed = new Map();
  return { getModel: async (name) => mendedModel(await provider.getModel(name), options, owed) };
}
