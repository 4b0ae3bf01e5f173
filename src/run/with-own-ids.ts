import type { TurnResponse } from '../turn/turn.ts';
import { writableCall } from './writable-call.ts';

/** An id no other call has. */
export const newCallId = (): string => `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;

/**
 * The answer with a new id for every call whose id the run has seen before, since some servers count from zero each time,
 * and with calls that can be written down.
 */
export function withOwnIds(response: TurnResponse, seen: { has(id: string): boolean }): TurnResponse {
  const used = new Set<string>();
  const taken = (id: string): boolean => id === '' || seen.has(id) || used.has(id);
  const parts = response.message.parts.map((part) => {
    if (part.type !== 'call') return part;
    const id = taken(part.id) ? newCallId() : part.id;
    used.add(id);
    const call = writableCall(part);
    return id === call.id ? call : { ...call, id };
  });
  return { ...response, message: { ...response.message, parts } };
}
