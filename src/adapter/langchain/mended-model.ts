import type { MendOptions } from '../mend-options.ts';
import { type ChatModel, MendingModel } from './mending-model.ts';

/** A model that is made when it is known what is configured, as one given by its name is. */
interface Configurable {
  _getModelInstance(config: { configurable?: Record<string, unknown> }): Promise<unknown>;
}

/** An agent's model with its answers mended; anything but a chat model is left as it is, and its whole answers are mended. */
export async function mendedModel<M>(
  model: M,
  options: MendOptions,
  configurable?: Record<string, unknown>,
): Promise<M> {
  const made = isConfigurable(model) ? await model._getModelInstance({ ...(configurable && { configurable }) }) : model;
  const mends = made instanceof MendingModel || !isChatModel(made);
  return (mends ? made : new MendingModel(made, options)) as M;
}

const isConfigurable = (model: unknown): model is Configurable =>
  typeof model === 'object' && model !== null && '_getModelInstance' in model;

const isChatModel = (model: unknown): model is ChatModel =>
  typeof model === 'object' && model !== null && '_generate' in model && 'bindTools' in model;
