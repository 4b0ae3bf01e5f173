import type {
  AgentOutputItem,
  FunctionCallItem,
  StreamEventGenericItem,
  StreamEventResponseCompleted,
} from '@openai/agents-core';
import { isObject } from '../../json/value.ts';
import { endedByLength, isUnfinished, parseFinishReason } from '../../mend/finish-reason.ts';
import type { CallPart, FinishReason } from '../../model/index.ts';
import { callsIn } from '../../provider/text-calls/text-calls.ts';
import { openaiResponses } from '../../provider/wire/openai-responses/index.ts';
import { isCall } from './items.ts';

/**
 * Recovers a response that reached its limit during a call, which the SDK discards: complete calls can run, and the
 * truncated one gets feedback.
 *
 * @param last the last event of the provider
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
  callId: id,
  name,
  arguments: String(given),
});

/** Whether this is the SDK's error for a response that reached its limit. */
export const isTruncationError = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('"response.incomplete"');

/** The finish reason if the provider's data or the last call shows that the response is incomplete. */
export function finishOf(providerData: unknown, output: readonly AgentOutputItem[]): FinishReason | undefined {
  const last = output.findLast(isCall);
  const words = endsOf(providerData);
  if (last?.status === 'incomplete' || words.some(endedByLength)) return 'length';
  const word = words.find(isUnfinished);
  return word === undefined ? undefined : parseFinishReason(String(word));
}

/** Whether a provider event says that the response reached its limit, which bridges to other SDKs only report there. */
export const isTruncationEvent = (event: unknown): boolean =>
  isObject(event) && [event, event.delta, event.message].some((part) => endsOf(part).some(endedByLength));

/**
 * The items of a response from a bridge to another SDK. It serializes calls from objects, so a truncated one looks
 * complete: the last is marked as possibly truncated.
 */
export function truncateLast(output: readonly AgentOutputItem[], told: unknown): AgentOutputItem[] {
  const last = output.at(-1);
  const isBridged = isObject(told) && [told, told.delta].some(isOther);
  if (!(isBridged && last && isCall(last))) return [...output];
  return [...output.slice(0, -1), { ...last, status: 'incomplete' }];
}

/** Whether this reports its end in a format that the SDK itself doesn't use. */
const isOther = (data: unknown): boolean =>
  isObject(data) && ['finishReason', 'stop_reason', 'done_reason'].some((key) => key in data);

/** The finish reasons in provider data. */
function endsOf(data: unknown): unknown[] {
  if (!isObject(data)) return [];
  const { choices, incomplete_details: details, finishReason, stop_reason, done_reason, status } = data;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return [
    isObject(choice) && choice.finish_reason,
    isObject(details) && details.reason,
    ...(isObject(finishReason) ? [finishReason.unified, finishReason.raw] : [finishReason]),
    stop_reason,
    done_reason,
    status,
  ];
}
