import { ToolmendError } from '../json/toolmend-error.ts';
import { checkArgument, isObject, ownCopy } from '../json/value.ts';
import type { Message } from '../model/index.ts';

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant']);

const isMessage = (value: unknown): boolean =>
  isObject(value) &&
  roles.has(value.role) &&
  Array.isArray(value.parts) &&
  value.parts.every((part) => isObject(part) && typeof part.type === 'string');

/** Whether a value is a list of messages. */
export const isHistory = (value: unknown): value is readonly Message[] =>
  Array.isArray(value) && value.every(isMessage);

/**
 * Checks the earlier conversation of a new run, and copies it.
 *
 * @throws ToolmendError if it isn't a list of messages, or a call in it has no result
 */
export function checkHistory(history: readonly Message[]): Message[] {
  const expected = 'a list of messages { role, parts }, such as run.messages() returns';
  checkArgument(isHistory(history), 'history', expected, history);
  const fault = pairFault(history);
  if (fault) throw new ToolmendError('invalid_option', `Invalid history: ${fault}. Each call needs its result.`);
  return history.map((message) => ownCopy(message));
}

/** Providers refuse a call without its result, and a result without its call. */
export function pairFault(messages: readonly Message[]): string | undefined {
  const open = new Set<string>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'call') open.add(part.id);
      if (part.type === 'result' && !open.delete(part.callId))
        return `the call of the result ${part.callId} is missing`;
    }
  }
  const [first] = open;
  return first === undefined ? undefined : `the result of the call ${first} is missing`;
}
