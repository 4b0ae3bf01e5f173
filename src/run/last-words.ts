import type { Message } from '../turn/turn.ts';

/** The words of the last answer. */
export function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return last?.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('') ?? '';
}
