import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { checkValue } from '../../json/check-value.ts';
import { defaultLimits } from '../../json/limits.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { endedByLength } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason } from '../../model/index.ts';
import { argumentsObject, mendedArguments } from '../../provider/wire/arguments.ts';
import { finishOf } from '../../provider/wire/openai-chat/map-finish-reason.ts';
import { isUnread } from '../call-status.ts';
import { markOf } from './annotation.ts';

/** An answer as the framework has it: whole, or put together from its chunks. */
export type ModelMessage = AIMessage | AIMessageChunk;

/** Whether a call is another's to judge: one for a tool that the provider runs itself, say. */
export type IsForeign = (call: { readonly name: string }) => boolean;

/** Where the packages of the providers keep how an answer ended. */
const keys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

/** How an answer ended, by whatever its provider's package says of it. */
export function finishOfMessage(message: ModelMessage, called: boolean): FinishReason {
  const { response_metadata: said, additional_kwargs: more } = message;
  const { incomplete_details: cut } = said;
  const words = [isObject(cut) ? cut.reason : undefined, ...keys.map((key) => said[key] ?? more[key])];
  const word = words.find((one) => typeof one === 'string' && one !== '');
  return endedByLength(word) ? 'length' : (markOf(message)?.finish ?? finishOf(word, called));
}

/**
 * Whether a refused call's arguments are no object that says all the model wrote. Only such an object may be shown to others
 * as the call's: whoever judges it again comes to the same end, where an object put together from the rest might pass.
 */
export function isNoObject(call: CheckedCall): boolean {
  const { status, raw } = call.outcome;
  if (status !== 'invalid') return false;
  const object = argumentsObject(raw.arguments);
  return object === undefined || checkValue(object, defaultLimits) !== undefined || isUnread(call);
}

/**
 * What the history shows of arguments that were refused. They must be an object there, or later requests fail; and one that
 * the framework's own walks over its state survive.
 */
export function historyArguments(given: unknown): JsonObject {
  const { object } = mendedArguments(given);
  return checkValue(object, defaultLimits) ? {} : object;
}
