import type { AgentOutputItem } from '@openai/agents-core';
import { endedByLength } from '../../call/ended-by-length.ts';
import { isObject } from '../../json/value.ts';
import type { FinishReason } from '../../turn/turn.ts';
import { isCall } from './items.ts';

/** Whether an answer ran into its limit, where its provider's own answer or its last call tells. */
export function finishOf(providerData: unknown, output: readonly AgentOutputItem[]): FinishReason | undefined {
  const last = output.findLast(isCall);
  return last?.status === 'incomplete' || endsOf(providerData).some(endedByLength) ? 'length' : undefined;
}

/** Whether an event of a provider's own says that the answer ran into its limit: bridges to other SDKs tell it there alone. */
export const saysCut = (event: unknown): boolean =>
  isObject(event) && [event, event.delta, event.message].some((part) => endsOf(part).some(endedByLength));

/**
 * The items of an answer that a bridge to another SDK made. Its calls are text made of objects, in which what was cut off looks
 * complete: the last one is marked as what it may be.
 */
export function cutLast(output: readonly AgentOutputItem[], told: unknown): AgentOutputItem[] {
  const last = output.at(-1);
  const isBridged = isObject(told) && [told, told.delta].some(isOther);
  if (!(isBridged && last && isCall(last))) return [...output];
  return [...output.slice(0, -1), { ...last, status: 'incomplete' }];
}

/** Whether this tells of its end as no service does that the SDK speaks to itself. */
const isOther = (data: unknown): boolean =>
  isObject(data) && ['finishReason', 'stop_reason', 'done_reason'].some((key) => key in data);

/** What the answers of the providers say of their end. */
function endsOf(data: unknown): unknown[] {
  if (!isObject(data)) return [];
  const { choices, incomplete_details: details, finishReason, stop_reason, done_reason, status } = data;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return [
    isObject(choice) && choice.finish_reason,
    isObject(details) && details.reason,
    ...(isObject(finishReason) ? [finishReason.unified, finishReason.raw] : [finishReason]),
    ...[stop_reason, done_reason, status],
  ];
}
