import type { AgentInputItem, FunctionCallItem, FunctionCallResultItem } from '@openai/agents-core';
import { repairArguments } from '../../provider/compat/repair-arguments.ts';
import { safeNames, toolRules } from '../../provider/compat/safe-names.ts';
import { findTool } from '../../tools/find-tool.ts';
import type { Policy } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { type PastCall, pastFeedback } from '../past-feedback.ts';
import { isCall } from './items.ts';

/** The history for the model, and the calls of our tools in it. */
interface PreparedHistory {
  readonly items: AgentInputItem[];
  readonly past: readonly PastCall[];
}

/**
 * Prepares a history: restores bad calls with their feedback, replaces the SDK's fixed messages, and repairs arguments
 * that providers would reject.
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
    return [isCall(item) ? soundCall(item) : item, ...told.map((one) => portableCall(one.item)), ...resultItems(told)];
  });
  const texts = pastFeedback(past, toolbox, policy);
  return { items: items.map((item) => retold(item, texts)), past };
}

const pastCall = ({ callId, name, arguments: given }: FunctionCallItem, turn: number): PastCall => ({
  id: callId,
  name,
  arguments: given,
  turn,
});

function retold(item: AgentInputItem, texts: ReadonlyMap<string, string>): AgentInputItem {
  if (item.type !== 'function_call_result') return item;
  const { output } = item;
  const said = typeof output === 'string' ? output : 'text' in output ? output.text : '';
  const text = texts.get(item.callId);
  return text !== undefined && isFixed(said) ? { ...item, output: { type: 'text' as const, text } } : item;
}

/** A bad call that the SDK never saw, and its feedback. */
export interface CorrectedCall {
  readonly item: FunctionCallItem;
  readonly text: string;
}

/**
 * Where a valid call stores the bad ones of its response. The SDK keeps it with the call, also in sessions and saved
 * states.
 */
const key = 'toolmend';

/** Adds the bad calls of a response to an item. */
export const withBadCalls = <I extends AgentInputItem>(item: I, told: readonly CorrectedCall[]): I => ({
  ...item,
  providerData: { ...item.providerData, [key]: told },
});

/** An item of the history, and its stored bad calls. */
function uncarried<I extends AgentInputItem>(item: I): { item: I; told: readonly CorrectedCall[] } {
  const { [key]: carried, ...providerData } = item.providerData ?? {};
  return Array.isArray(carried) ? { item: { ...item, providerData }, told: carried } : { item, told: [] };
}

/** A bad call in a form that every provider accepts. */
export const portableCall = (item: FunctionCallItem): FunctionCallItem => ({
  ...soundCall(item),
  name: safe(item.name),
});

/** The feedback of bad calls as results. */
export const resultItems = (told: readonly CorrectedCall[]): FunctionCallResultItem[] =>
  told.map(({ item: { callId, name }, text }) => ({
    type: 'function_call_result',
    callId,
    name: safe(name),
    status: 'completed',
    output: { type: 'text', text },
  }));

/** A call whose arguments are a JSON object, because many providers reject others. */
function soundCall(item: FunctionCallItem): FunctionCallItem {
  const { arguments: given, kind } = repairArguments(item.name, item.arguments);
  return kind === 'kept' ? item : { ...item, arguments: String(given) };
}

const safe = (name: string): string => safeNames([name], toolRules.openai).safe(name);

const sentence =
  /^(An error occurred while (running the tool|parsing tool arguments)\. Please try again( with valid JSON)?\.|Tool '.*' not found\.)$/;

/** Whether this is the SDK's fixed message for tools that threw, unparsable arguments and unknown tools. */
export const isFixed = (output: unknown): output is string => typeof output === 'string' && sentence.test(output);
