import { endedByLength } from '../../call/ended-by-length.ts';
import { isObject } from '../../json/value.ts';
import { finishOf } from '../../provider/openai-chat/finish.ts';
import type { FinishReason } from '../../turn/turn.ts';
import type { Answer } from './answer.ts';
import { markOf } from './mark.ts';

/** Where the packages of the providers keep how an answer ended. */
const keys = ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason'];

/** How an answer ended, by whatever its provider's package says of it. */
export function finishOfMessage(message: Answer, called: boolean): FinishReason {
  const { response_metadata: said, additional_kwargs: more } = message;
  const { incomplete_details: cut } = said;
  const words = [isObject(cut) ? cut.reason : undefined, ...keys.map((key) => said[key] ?? more[key])];
  const word = words.find((one) => typeof one === 'string' && one !== '');
  return endedByLength(word) ? 'length' : (markOf(message)?.finish ?? finishOf(word, called));
}
