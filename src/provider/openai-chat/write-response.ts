import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import { makeId } from '../make-id.ts';
import type { Warning, Written } from '../wire.ts';
import { finishWord } from './finish.ts';
import { format, isNumber, ownFields } from './take.ts';
import { writeUsage } from './usage.ts';
import { writeAssistant } from './write-assistant.ts';

/** Writes a whole answer. What the wire wants and nobody said is made: an id, a time, a place among the choices. */
export function writeResponse(response: TurnResponse): Written {
  const losses: Warning[] = foreignFieldWarnings(format, response);
  const { choices, ...own } = ownFields(response) ?? {};
  const [first, ...others] = Array.isArray(choices) ? choices : [];
  const message = writeAssistant(response.message, { where: 'message', losses }, true);
  const wire: JsonObject = {
    id: response.id ?? makeId('chatcmpl-'),
    object: 'chat.completion',
    created: now(own),
    model: response.model ?? '',
    ...own,
    choices: [
      {
        index: 0,
        message: isObject(first) || ownFields(response.message) ? message : { refusal: null, ...message },
        ...(isObject(first) ? first : { logprobs: null }),
        finish_reason: finishWord(response, isObject(first) ? first.finish_reason : undefined),
      },
      ...others,
    ],
    ...(response.usage && { usage: writeUsage(response.usage) }),
  };
  return { wire, losses };
}

/** When an answer was made, in the wire's seconds: as it was said, or now. */
export const now = (own: Readonly<Record<string, JsonValue>>): number =>
  isNumber(own.created) ? own.created : Math.floor(Date.now() / 1000);
