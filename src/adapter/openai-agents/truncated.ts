import type {
  AgentOutputItem,
  FunctionCallItem,
  StreamEventGenericItem,
  StreamEventResponseCompleted,
} from '@openai/agents-core';
import { isObject } from '../../json/value.ts';
import { endedByLength } from '../../mend/finish-reason.ts';
import type { CallPart, FinishReason } from '../../model/index.ts';
import { callsIn } from '../../provider/text-calls/text-calls.ts';
import { openaiResponses } from '../../provider/wire/openai-responses/index.ts';
import { isCall } from './items.ts';

/**
 * The end of an answer that ran into its limit while it called, which the SDK throws away: the calls that came, so that
 * those which are whole can run and the one that is not can be told of.
 *
 * @param last the last that came of the provider's own events
 */
export function truncatedOutput(last: StreamEventGenericItem | undefined): StreamEventResponseCompleted | undefined {
  const { event } = last ?? {};
  if (!isObject(event) || event.type !== 'response.incomplete') return undefined;
  const response = openaiResponses.readResponse(event.response);
  const calls = callsIn(response);
  if (response.finish !== 'length' || calls.length === 0) return undefined;
  const { input = 0, output = 0 } = response.usage ?? {};
  const usage = { requests: 1, inputTokens: input, outputTokens: output, totalTokens: input + output };
  const id = response.id ?? '';
  return {
    type: 'response_done',
    response: { id, usage, output: calls.map(itemOf), providerData: { status: 'incomplete' } },
  };
}

const itemOf = ({ id, name, arguments: given }: CallPart): FunctionCallItem => ({
  type: 'function_call',
  ...{ callId: id, name, arguments: String(given) },
});

/** Whether this is what the SDK throws for an answer that ran into its limit. */
export const isTruncationError = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('"response.incomplete"');

/** Whether an answer ran into its limit, where its provider's own answer or its last call tells. */
export function finishOf(providerData: unknown, output: readonly AgentOutputItem[]): FinishReason | undefined {
  const last = output.findLast(isCall);
  return last?.status === 'incomplete' || endsOf(providerData).some(endedByLength) ? 'length' : undefined;
}

/** Whether an event of a provider's own says that the answer ran into its limit: bridges to other SDKs tell it there alone. */
export const isTruncationEvent = (event: unknown): boolean =>
  isObject(event) && [event, event.delta, event.message].some((part) => endsOf(part).some(endedByLength));

/**
 * The items of an answer that a bridge to another SDK made. Its calls are text made of objects, in which what was cut off looks
 * complete: the last one is marked as what it may be.
 */
export function truncateLast(output: readonly AgentOutputItem[], told: unknown): AgentOutputItem[] {
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
