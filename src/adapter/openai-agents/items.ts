import type { AgentInputItem, AssistantMessageItem, FunctionCallItem } from '@openai/agents-core';

/** A call of a function, not of a namespace or by a program of the provider. */
export const isCall = (item: AgentInputItem): item is FunctionCallItem =>
  item.type === 'function_call' && item.namespace === undefined && item.caller?.type !== 'program';

/** A message of the model. */
export const isMessage = (item: AgentInputItem): item is AssistantMessageItem =>
  (item.type === 'message' || item.type === undefined) && 'role' in item && item.role === 'assistant';

const actions: ReadonlySet<unknown> = new Set(['function_call', 'computer_call', 'shell_call', 'apply_patch_call']);

/** Whether the SDK will act on the item. */
export const isAction = (item: AgentInputItem): boolean => actions.has(item.type);

/** Calls that a wrapped model repeated on purpose. A tool can't tell, because it doesn't see the conversation. */
export const confirmedCalls = new WeakSet<object>();
