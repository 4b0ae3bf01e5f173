import type { FunctionCallItem, StreamEventGenericItem, StreamEventResponseCompleted } from '@openai/agents-core';
import { isObject } from '../../json/value.ts';
import { openaiResponses } from '../../provider/openai-responses/openai-responses.ts';
import { callsIn } from '../../provider/text/calls-in-words.ts';
import type { CallPart } from '../../turn/turn.ts';

/**
 * The end of an answer that ran into its limit while it called, which the SDK throws away: the calls that came, so that
 * those which are whole can run and the one that is not can be told of.
 *
 * @param last the last that came of the provider's own events
 */
export function cutOff(last: StreamEventGenericItem | undefined): StreamEventResponseCompleted | undefined {
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
export const isCutOff = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('"response.incomplete"');
