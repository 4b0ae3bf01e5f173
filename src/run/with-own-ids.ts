import type { TurnResponse } from '../turn/turn.ts';

/** An id no other call has. */
export const newCallId = (): string => `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;

/** The answer with a new id for every call whose id the run has seen before: some servers count from zero each time. */
export function withOwnIds(response: TurnResponse, seen: { has(id: string): boolean }): TurnResponse {
  const used = new Set<string>();
  const taken = (id: string): boolean => id === '' || seen.has(id) || used.has(id);
  const parts = response.message.parts.map((part) => {
    if (part.type !== 'call') return part;
    const id = taken(part.id) ? newCallId() : part.id;
    used.add(id);
    return id === part.id ? part : { ...part, id };
  });
  return { ...response, message: { ...response.message, parts } };
}
