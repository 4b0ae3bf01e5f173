import type { Outcome } from '../call/outcome.ts';
import { readCalls } from '../dialect/read-calls.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { AssistantPart, CallPart, TurnResponse } from '../turn/turn.ts';

/**
 * An answer with the calls it holds as text made calls, where no native one came: a model that writes its call as text
 * meant to call, and a loop that ends there has lost it.
 */
export function withTextCalls(response: TurnResponse, toolbox: Toolbox, dialect: string): TurnResponse {
  const { parts } = response.message;
  if (parts.some(({ type }) => type === 'call')) return response;
  let found = false;
  let cut = response.finish === 'length';
  const read = parts.flatMap((part): AssistantPart[] => {
    if (part.type !== 'text') return [part];
    const { text, calls } = readCalls(part.text, toolbox, { dialect });
    if (calls.length === 0) return [part];
    found = true;
    cut ||= calls.some((call) => call.status === 'invalid' && call.errorType === 'truncated');
    const words = text.trim() === '' ? [] : [{ ...part, text }];
    return [...words, ...calls.map((call, index) => toPart(call, `text_${newId()}_${index}`))];
  });
  if (!found) return response;
  return { ...response, message: { ...response.message, parts: read }, finish: cut ? 'length' : 'tool_calls' };
}

const newId = (): string => crypto.randomUUID().slice(0, 8);

/** The call as it is judged again: one that was cut off stays so, though the value read so far is whole. */
function toPart(outcome: Outcome, id: string): CallPart {
  const { name, arguments: given } = outcome.raw;
  const cut = outcome.status === 'invalid' && outcome.errorType === 'truncated';
  return { type: 'call', id, name, arguments: cut ? unclosed(given) : (given ?? {}) };
}

const unclosed = (given: unknown): string =>
  typeof given === 'string' ? given.replace(/[}\]\s]+$/, '') : JSON.stringify(given ?? {}).slice(0, -1);
