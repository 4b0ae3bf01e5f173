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
