import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { AssistantPart, DroppedCall, TurnResponse } from '../../turn/turn.ts';
import { isNameable } from '../is-nameable.ts';
import { makeId } from '../make-id.ts';
import { cutOff } from '../turn-assembly.ts';
import { WireError } from '../wire-error.ts';
import { isOpaqueCall } from './call.ts';
import { errorWords, isError } from './error.ts';
import { finishOf, finishWords } from './finish.ts';
import { readAssistant } from './read-assistant.ts';
import { carrying, isText, listAt, objectAt, take } from './take.ts';
import { readUsage } from './usage.ts';

/** Reads a whole answer. The first choice counts; others are carried. */
export function readResponse(wire: unknown): TurnResponse {
  const rest = objectAt(wire, '');
  if (isError(rest.error)) throw new WireError('error', `says: ${errorWords(rest) ?? 'no more'}`);
  const [first, ...others] = listAt(rest.choices, 'choices');
  const choice = objectAt(first, 'choices.0');
  const message = readAssistant(objectAt(choice.message, 'choices.0.message'), 'choices.0.message', makeId);
  delete choice.message;
  const { parts, dropped } = settle(message.parts);
  const finish = finishOf(choice.finish_reason, parts.some(isCall));
  if (choice.finish_reason === finishWords[finish]) delete choice.finish_reason;
  const usage = readUsage(rest.usage);
  if (usage) delete rest.usage;
  const id = take(rest, 'id', isText);
  const model = take(rest, 'model', isText);
  return cutOff({
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    message: { ...message, parts },
    finish,
    ...(usage && { usage }),
    ...(dropped.length > 0 && { dropped }),
    ...carrying({ ...rest, choices: leftOfChoices(choice, others) }),
  });
}

/** Whether a part calls something: a tool of ours, or one that the middle shape does not know. */
export const isCall = (part: AssistantPart): boolean => part.type === 'call' || isOpaqueCall(part);

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
