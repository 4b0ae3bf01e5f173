import { callPartOf } from '../dialect/call-part-of.ts';
import { readCalls } from '../dialect/read-calls.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { AssistantPart, TurnResponse } from '../turn/turn.ts';
import { newCallId } from './with-own-ids.ts';

/**
 * An answer with the calls it holds as text made calls, where no native one came: a model that writes its call as text
 * meant to call, and a loop that ends there has lost it.
 */
export function withTextCalls(response: TurnResponse, toolbox: Toolbox, dialect: string): TurnResponse {
  const { parts } = response.message;
  if (parts.some(({ type }) => type === 'call')) return response;
  let found = false;
  const cut = response.finish === 'length';
  const read = parts.flatMap((part): AssistantPart[] => {
    if (part.type !== 'text') return [part];
    const { text, calls } = readCalls(part.text, toolbox, { dialect, cut });
    if (calls.length === 0) return [part];
    found = true;
    const words = text.trim() === '' ? [] : [{ ...part, text }];
    return [...words, ...calls.map((call) => callPartOf(call, newCallId()))];
  });
  if (!found) return response;
  return { ...response, message: { ...response.message, parts: read }, finish: cut ? 'length' : 'tool_calls' };
}
