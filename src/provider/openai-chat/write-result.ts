import type { JsonObject } from '../../json/value.ts';
import type { ResultPart } from '../../turn/turn.ts';
import { sayError } from '../say-error.ts';
import { lay, ownFields } from './take.ts';
import { type Place, writeContent } from './write-content.ts';

/** Writes what came of a call. The wire has no mark for an error, so the text says it; media go elsewhere. */
export function writeResult(part: ResultPart, { where, losses }: Place): JsonObject {
  const own = ownFields(part);
  const kept = part.content.filter((one) => one.type !== 'media' || ownFields(one));
  if (kept.length < part.content.length)
    losses.push({ where, what: 'A result holds text only on this wire: its media follow in a message of their own' });
  const content = part.isError ? sayError(kept) : kept;
  if (part.isError)
    losses.push({ where: `${where}.isError`, what: 'This wire has no mark for an error: the text says it' });
  const head = own?.role === 'function' ? { role: 'function' } : { role: 'tool', tool_call_id: part.callId };
  return { ...lay(head, part), ...writeContent(content, part, '', { where, losses }) };
}
