import type { AgentInputItem, FunctionCallItem } from '@openai/agents-core';
import { findTool } from '../../tool/find-tool.ts';
import type { Policy } from '../../tool/policy.ts';
import type { Toolbox } from '../../tool/toolbox.ts';
import { type PastCall, tellPast } from '../tell-past.ts';
import { isFixed } from './is-fixed.ts';
import { isCall } from './items.ts';
import { resultItems, sayableCall, soundCall, uncarried } from './told-call.ts';

/** A history as the model is to read it, and the calls in it that its tools are concerned with. */
export interface PreparedHistory {
  readonly items: AgentInputItem[];
  readonly past: readonly PastCall[];
}

/**
 * The history with every bad call in it beside what it was told, our feedback in place of the SDK's fixed sentence, and
 * no arguments that a provider would refuse.
 */
export function prepareHistory(
  input: string | readonly AgentInputItem[],
  toolbox: Toolbox,
  policy?: Policy,
): PreparedHistory {
  if (typeof input === 'string') return { items: [{ type: 'message', role: 'user', content: input }], past: [] };
  const past: PastCall[] = [];
  let turn = 0;
  const items = input.flatMap((came): AgentInputItem[] => {
    const { item, told } = uncarried(came);
    if (!isCall(item)) turn += 1;
    else if (findTool(item.name, toolbox).tool) past.push(pastCall(item, turn));
    past.push(...told.map((one) => pastCall(one.item, turn)));
    return [isCall(item) ? soundCall(item) : item, ...told.map((one) => sayableCall(one.item)), ...resultItems(told)];
  });
  const texts = tellPast(past, toolbox, policy);
  return { items: items.map((item) => retold(item, texts)), past };
}

const pastCall = ({ callId, name, arguments: given }: FunctionCallItem, turn: number): PastCall => ({
  ...{ id: callId, name, arguments: given },
  turn,
});

function retold(item: AgentInputItem, texts: ReadonlyMap<string, string>): AgentInputItem {
  if (item.type !== 'function_call_result') return item;
  const { output } = item;
  const said = typeof output === 'string' ? output : 'text' in output ? output.text : '';
  const text = texts.get(item.callId);
  return text !== undefined && isFixed(said) ? { ...item, output: { type: 'text' as const, text } } : item;
}
