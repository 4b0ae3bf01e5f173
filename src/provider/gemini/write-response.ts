import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isObject } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { writeVerbatim } from '../as-it-came.ts';
import { foreignFieldWarnings } from '../foreign-losses.ts';
import type { Warning, Written } from '../wire.ts';
import { own } from './carried.ts';
import { writeFinish } from './finish.ts';
import { usage } from './usage.ts';
import { content } from './write-messages.ts';
import { writePart } from './write-part.ts';

/** A whole answer for the wire. */
export function writeResponse(response: TurnResponse): Written {
  const losses: Warning[] = foreignFieldWarnings('gemini', response);
  const { message, id, model } = response;
  const parts = message.parts.flatMap((part, index): JsonValue[] => {
    const wire = writePart(part, `message.parts.${index}`, losses);
    return wire === undefined ? [] : [wire];
  });
  const { candidates: before, ...left } = own(response) ?? {};
  const said = parts.length > 0 || own(message) ? { content: content(message, parts) } : {};
  const candidates = candidateList(response, said, before);
  const wire: JsonObject = {
    ...(candidates && { candidates }),
    ...(response.usage && { usageMetadata: writeVerbatim(usage, response.usage) }),
    ...(model !== undefined && { modelVersion: model }),
    ...(id !== undefined && { responseId: id }),
    ...left,
  };
  return { wire, losses };
}

/** The answer as first candidate, with what was carried of it, and the others; none where none came and none is needed. */
function candidateList(
  { finish }: TurnResponse,
  said: JsonObject,
  before: JsonValue | undefined,
): JsonValue[] | undefined {
  const [first, ...others] = Array.isArray(before) ? before : [];
  const none = before === null || (Array.isArray(before) && first === undefined);
  if (none && !said.content) return before === null ? undefined : [];
  const { finishReason: word, ...left } = isObject(first) ? first : {};
  const finishReason = writeFinish(finish, word);
  return [{ ...said, ...(finishReason && { finishReason }), ...left }, ...others];
}
