import type { AgentInputItem, ModelRequest } from '@openai/agents-core';
import { type ContextMessage, contextFrom } from '../../dialect/echo/context.ts';
import type { MendOptions, ResponseOptions } from '../mend-options.ts';
import { isCall } from './items.ts';

/** How a wrapped model deals with the calls of its answers. */
export interface AgentsOptions extends MendOptions {
  /** How often the model is asked again, in one turn of a run, when nothing it called can be mended. Default 3. */
  readonly retries?: number;
}

/** The settings for one request: where no call is wanted, or the words are to be JSON, none is looked for in them. */
export function optionsFor<O extends MendOptions>(
  request: ModelRequest,
  options: O,
): O & ResponseOptions & { readonly context: () => ContextMessage[] } {
  const { outputType, modelSettings } = request;
  const wordsAreWords = outputType !== 'text' || modelSettings.toolChoice === 'none';
  const context = (): ContextMessage[] => requestContext(request);
  return { ...options, context, ...(wordsAreWords && { dialect: 'native' }) };
}

/** The conversation of a request, as far as the calls of its answer are compared with it. */
function requestContext({ input, systemInstructions: system }: ModelRequest): ContextMessage[] {
  const first = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...first, ...(typeof input === 'string' ? [{ role: 'user', content: input }] : input.flatMap(messagesOf))];
}

function messagesOf(item: AgentInputItem): ContextMessage[] {
  if (isCall(item)) return [{ role: 'assistant', content: '', calls: [item] }];
  if ('role' in item && item.role) return contextFrom([item]) ?? [];
  // What a tool of the provider's own gave back may stand in the provider's words alone.
  const { output, providerData } = item as { readonly output?: unknown; readonly providerData?: unknown };
  return contextFrom([{ role: 'tool', content: [...(Array.isArray(output) ? output : [output]), providerData] }]) ?? [];
}
