import { isObject } from '../json/value.ts';
import type { Tool } from '../tools/tool.ts';

/** What decides which repairs a tool accepts, besides its schema. */
type Effects = Pick<Tool, 'effect' | 'minCertainty'>;

const kept = new WeakMap<object, Effects>();

/**
 * A tool's schema for a framework. Frameworks only pass schemas on, so the effect is stored by schema object, and
 * destructive tools only accept lossless repairs here too.
 */
export function schemaWithEffects({ schema: { json }, effect, minCertainty: accept }: Tool): Record<string, unknown> {
  const shown = isObject(json) ? { ...json } : { type: 'object', properties: {} };
  kept.set(shown, { effect, ...(accept && { minCertainty: accept }) });
  return shown;
}

/** The effect of the tool with this schema object; undefined if it isn't from a toolbox. */
export const effectsOfSchema = (schema: unknown): Effects | undefined =>
  isObject(schema) ? kept.get(schema) : undefined;
