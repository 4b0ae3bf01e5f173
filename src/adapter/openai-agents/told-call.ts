import type { AgentInputItem, FunctionCallItem, FunctionCallResultItem } from '@openai/agents-core';
import { toolRules } from '../../provider/fit/name-rule.ts';
import { safeNames } from '../../provider/fit/safe-names.ts';
import { soundArguments } from '../../provider/fit/sound-arguments.ts';

/** A call the SDK never saw, and what the model was told of it. */
export interface CorrectedCall {
  readonly item: FunctionCallItem;
  readonly text: string;
}

/** Where a good call carries the bad ones of its answer: the SDK keeps it with the call, in sessions and saved states too. */
const key = 'toolmend';

/** An item that carries the bad calls of its answer. */
export const carrying = <I extends AgentInputItem>(item: I, told: readonly CorrectedCall[]): I => ({
  ...item,
  providerData: { ...item.providerData, [key]: told },
});

/** An item of the history, and the bad calls it carried. */
export function uncarried<I extends AgentInputItem>(item: I): { item: I; told: readonly CorrectedCall[] } {
  const { [key]: carried, ...providerData } = item.providerData ?? {};
  return Array.isArray(carried) ? { item: { ...item, providerData }, told: carried } : { item, told: [] };
}

/** A bad call as every provider takes it in a history. */
export const sayableCall = (item: FunctionCallItem): FunctionCallItem => ({
  ...soundCall(item),
  name: safe(item.name),
});

/** What bad calls were told. */
export const resultItems = (told: readonly CorrectedCall[]): FunctionCallResultItem[] =>
  told.map(({ item: { callId, name }, text }) => ({
    type: 'function_call_result',
    ...{ callId, name: safe(name) },
    status: 'completed',
    output: { type: 'text', text },
  }));

/** A call with arguments that are a JSON object: many providers refuse a history with others. */
export function soundCall(item: FunctionCallItem): FunctionCallItem {
  const { arguments: given, kind } = soundArguments(item.name, item.arguments);
  return kind === 'kept' ? item : { ...item, arguments: String(given) };
}

const safe = (name: string): string => safeNames([name], toolRules.openai).safe(name);
