import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { checkValue } from '../../json/check-value.ts';
import { defaultLimits } from '../../json/limits.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { endedByLength } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import { parseArguments } from '../../mend/parse-arguments.ts';
import type { FinishReason } from '../../model/index.ts';
import { argumentsObject, mendedArguments } from '../../provider/wire/arguments.ts';
import { finishOf } from '../../provider/wire/openai-chat/map-finish-reason.ts';
import { markOf } from './annotation.ts';

/** A response: complete, or merged from chunks. */
export type ModelMessage = AIMessage | AIMessageChunk;

/** The kind of a message, also in version 0.3 of the framework, where only a method returns it. */
export const kindOf = (message: unknown): string | undefined => {
  const { type, getType } = Object(message) as { readonly type?: string; readonly getType?: () => string };
  return type ?? getType?.call(message);
};

/** Whether a call isn't ours, for example one of a provider tool. */
export type IsForeign = (call: { readonly name: string }) => boolean;

/** Where provider packages store the finish reason. */
const keys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

/** The state of a response in the Responses API, as a finish reason. */
const states: Readonly<Record<string, string>> = { completed: 'stop', failed: 'error', cancelled: 'error' };

/** The finish reason of a message, as the provider wrote it. */
function wordOf({ response_metadata: said, additional_kwargs: more }: ModelMessage): string | undefined {
  const { incomplete_details: cut, status } = said;
  const words = [isObject(cut) ? cut.reason : undefined, ...keys.map((key) => said[key] ?? more[key])];
  return [...words, states[String(status)]].find((one): one is string => typeof one === 'string' && one !== '');
}

/** The finish reason of a message. */
export function finishOfMessage(message: ModelMessage, called: boolean): FinishReason {
  const word = wordOf(message);
  return endedByLength(word) ? 'length' : (markOf(message)?.finish ?? finishOf(word, called));
}

/** The same for a stream, which failed or broke off if it has none. */
export const finishOfStream = (message: ModelMessage, called: boolean): FinishReason =>
  wordOf(message) === undefined ? (markOf(message)?.finish ?? 'error') : finishOfMessage(message, called);

/**
 * Whether the arguments of a refused call aren't an object that preserves what the model wrote. Only such an object may
 * be exposed as the call's, because checking it again gives the same result.
 */
export function isNoObject(call: CheckedCall): boolean {
  const { status, raw } = call.outcome;
  if (status !== 'invalid') return false;
  const object = argumentsObject(raw.arguments);
  return object === undefined || checkValue(object, defaultLimits) !== undefined || isUnread(call);
}

/** Whether a call's arguments couldn't be parsed, so that it is unknown what was called. */
const isUnread = ({ outcome: { raw, tool } }: CheckedCall): boolean =>
  (raw.found ?? []).length > 0 || parseArguments(raw, tool?.schema.json, defaultLimits).problems.length > 0;

/**
 * The arguments of a refused call in the history. They must be an object, or later requests fail, and within limits
 * that the framework can process.
 */
export function historyArguments(given: unknown): JsonObject {
  const { object } = mendedArguments(given);
  return checkValue(object, defaultLimits) ? {} : object;
}
