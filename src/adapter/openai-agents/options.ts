import type { AgentInputItem, ModelRequest } from '@openai/agents-core';
import { type ContextMessage, contextFrom } from '../../dialect/echo/context.ts';
import type { MendOptions, ResponseOptions } from '../mend-turn.ts';
import { isCall } from './items.ts';

/** Options of a wrapped model. */
export interface AgentsOptions extends MendOptions {
  /**
   * Number of retries in one turn of a run if no call can be mended.
   * @default 3
   */
  readonly retries?: number;
}

/** Options for one request: text isn't searched for calls if none is allowed or the output is JSON. */
export function optionsFor<O extends MendOptions>(
  request: ModelRequest,
  options: O,
): O & Omit<ResponseOptions, 'context'> & { readonly context: () => ContextMessage[] } {
  const { outputType, modelSettings } = request;
  const wordsAreWords = outputType !== 'text' || modelSettings.toolChoice === 'none';
  const context = (): ContextMessage[] => requestContext(request);
  return { ...options, context, ...(wordsAreWords && { dialect: 'native' }) };
}

/** Converts a request to the form that calls are compared with. */
function requestContext({ input, systemInstructions: system }: ModelRequest): ContextMessage[] {
  const first = system === undefined ? [] : [{ role: 'system', content: system }];
  return [...first, ...(typeof input === 'string' ? [{ role: 'user', content: input }] : input.flatMap(messagesOf))];
}

function messagesOf(item: AgentInputItem): ContextMessage[] {
  if (isCall(item)) return [{ role: 'assistant', content: '', calls: [item] }];
  if ('role' in item && item.role) return contextFrom([item]) ?? [];
  // The result of a provider tool may only be in the provider's data.
  const { output, providerData } = item as { readonly output?: unknown; readonly providerData?: unknown };
  return contextFrom([{ role: 'tool', content: [...(Array.isArray(output) ? output : [output]), providerData] }]) ?? [];
}
