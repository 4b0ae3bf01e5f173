import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { AssistantPart, DroppedCall, TurnResponse } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { isNameable, truncatedTurn } from '../turn-assembler.ts';
import type { Warning, Written } from '../types.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { isOpaqueCall } from './calls.ts';
import { errorMessage, isError } from './errors.ts';
import { asPassthrough, format, isNumber, isText, listAt, objectAt, ownFields, take } from './fields.ts';
import { finishOf, wireFinishReason, wireFinishReasons } from './map-finish-reason.ts';
import { readAssistant, writeAssistant } from './messages.ts';
import { readUsage, writeUsage } from './usage.ts';

/** Reads a whole answer. The first choice counts; others are carried. */
export function readResponse(wire: unknown): TurnResponse {
  const rest = objectAt(wire, '');
  if (isError(rest.error)) throw new WireError('error', `says: ${errorMessage(rest) ?? 'no more'}`);
  const [first, ...others] = listAt(rest.choices, 'choices');
  const choice = objectAt(first, 'choices.0');
  const message = readAssistant(objectAt(choice.message, 'choices.0.message'), 'choices.0.message', makeId);
  delete choice.message;
  const { parts, dropped } = settle(message.parts);
  const finish = finishOf(choice.finish_reason, parts.some(isCall));
  if (choice.finish_reason === wireFinishReasons[finish]) delete choice.finish_reason;
  const usage = readUsage(rest.usage);
  if (usage) delete rest.usage;
  const id = take(rest, 'id', isText);
  const model = take(rest, 'model', isText);
  return truncatedTurn({
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    message: { ...message, parts },
    finish,
    ...(usage && { usage }),
    ...(dropped.length > 0 && { dropped }),
    ...asPassthrough({ ...rest, choices: leftOfChoices(choice, others) }),
  });
}

/** Whether a part calls something: a tool of ours, or one that the middle shape does not know. */
const isCall = (part: AssistantPart): boolean => part.type === 'call' || isOpaqueCall(part);

const leftOfChoices = (choice: JsonObject, others: readonly JsonValue[]): JsonValue[] => [choice, ...others];

/** Each call gets an id of its own; those that name nothing are left out and listed. */
function settle(parts: readonly AssistantPart[]): { parts: AssistantPart[]; dropped: DroppedCall[] } {
  const ids = new Set<string>();
  const dropped: DroppedCall[] = [];
  const kept = parts.flatMap((part): AssistantPart[] => {
    if (part.type !== 'call') return [part];
    const id = ids.has(part.id) ? makeId() : part.id;
    ids.add(id);
    if (isNameable(part.name)) return [{ ...part, id }];
    dropped.push({ id, name: part.name, arguments: part.arguments });
    return [];
  });
  return { parts: kept, dropped };
}

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
        finish_reason: wireFinishReason(response, isObject(first) ? first.finish_reason : undefined),
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
