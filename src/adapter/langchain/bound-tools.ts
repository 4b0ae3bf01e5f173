import type { BindToolsInput } from '@langchain/core/language_models/chat_models';
import { isObject } from '../../json/value.ts';
import type { Tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { effectsOfSchema } from '../tool-effects.ts';
import { toolWithSchema } from '../tool-with-schema.ts';
import type { IsForeign } from './message-fields.ts';

/** The tools of a model. */
export interface BoundTools {
  readonly toolbox: Toolbox;
  /** Whether a call is for a provider tool, or for one whose arguments aren't JSON. */
  readonly isForeign: IsForeign;
}

const made = new WeakMap<object, Tool>();

/**
 * Converts the tools bound to a model, in any form: the framework's own tools with their schemas, and definitions in
 * OpenAI's or Anthropic's format.
 */
export function boundTools(bound: readonly BindToolsInput[]): BoundTools {
  const toolbox = new Toolbox([], { validate: false });
  const foreign = new Set<unknown>();
  for (const one of bound) {
    const known = toolOf(one);
    if (known) toolbox.add(known);
    else foreign.add((one as { name?: unknown }).name);
  }
  const isForeign: IsForeign = (call) => foreign.has(call.name) || 'isCustomTool' in call || 'isComputerTool' in call;
  return { toolbox, isForeign };
}

function toolOf(given: BindToolsInput): Tool | undefined {
  const known = made.get(given);
  if (known) return known;
  const found = definitionOf(given as Record<string, unknown>);
  if (found) made.set(given, found);
  return found;
}

function definitionOf(given: Record<string, unknown>): Tool | undefined {
  const {
    name,
    description,
    schema,
    input_schema: input,
  } = isObject(given.function)
    ? { ...given.function, schema: given.function.parameters, input_schema: undefined }
    : given;
  if (typeof name !== 'string') return undefined;
  const shape = schema ?? input ?? (given.type === 'function' ? given.parameters : undefined);
  // A provider tool has a name but no schema.
  if (shape === undefined && given.type !== undefined && given.type !== 'function') return undefined;
  const found = toolWithSchema(name, typeof description === 'string' ? description : '', shape);
  return { ...found, ...effectsOfSchema(shape) };
}
