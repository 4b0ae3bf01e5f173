import { isObject } from '../json/value.ts';
import type { Tool } from '../tools/tool.ts';

/** What decides which repairs a tool takes, beside its schema. */
type Effects = Pick<Tool, 'effect' | 'minCertainty'>;

const kept = new WeakMap<object, Effects>();

/**
 * The schema of a toolbox's tool to give to a framework. It shows its model that and no more; whoever mends the model's calls
 * finds by the schema what the tool does to the world, so that one which destroys takes lossless repairs only here too.
 */
export function schemaWithEffects({ schema: { json }, effect, minCertainty: accept }: Tool): Record<string, unknown> {
  const shown = isObject(json) ? { ...json } : { type: 'object', properties: {} };
  kept.set(shown, { effect, ...(accept && { minCertainty: accept }) });
  return shown;
}

/** What is known of the tool that a schema was shown of; nothing where it is none of a toolbox's. */
export const effectsOfSchema = (schema: unknown): Effects | undefined =>
  isObject(schema) ? kept.get(schema) : undefined;
