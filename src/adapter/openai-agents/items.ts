import type { AgentInputItem, AssistantMessageItem, FunctionCallItem } from '@openai/agents-core';

/** A call to a function of ours: not one of a namespace, and not one that a program of the provider makes. */
export const isCall = (item: AgentInputItem): item is FunctionCallItem =>
  item.type === 'function_call' && item.namespace === undefined && item.caller?.type !== 'program';

/** Words of the model. */
export const isMessage = (item: AgentInputItem): item is AssistantMessageItem =>
  (item.type === 'message' || item.type === undefined) && 'role' in item && item.role === 'assistant';

const actions: ReadonlySet<unknown> = new Set(['function_call', 'computer_call', 'shell_call', 'apply_patch_call']);

/** Something that the SDK will do, and tell the model of. */
export const isAction = (item: AgentInputItem): boolean => actions.has(item.type);
