import { callParts } from '../dialect/call/call-part.ts';
import type { ReadCallsOptions } from '../dialect/call-reader.ts';
import { readCalls } from '../dialect/read-calls.ts';
import { checkValue } from '../json/check-value.ts';
import { defaultLimits } from '../json/limits.ts';
import { makeId } from '../mend/make-id.ts';
import { preview } from '../mend/preview.ts';
import type { AssistantPart, CallPart, TurnResponse } from '../model/index.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** A normalized response, and whether its text only repeats calls that the model was shown. */
export interface NormalizedResponse {
  readonly response: TurnResponse;
  readonly echo: boolean;
}

/**
 * Converts calls in text to calls if there are no native ones. A model that writes a call as text intends to call, and
 * the loop must not end there.
 */
export function withTextCalls(response: TurnResponse, toolbox: Toolbox, options: ReadCallsOptions): NormalizedResponse {
  const { parts } = response.message;
  const texts = parts.filter((part) => part.type === 'text');
  const [first] = texts;
  if (!first || parts.some(({ type }) => type === 'call')) return { response, echo: false };
  const cut = response.finish === 'length';
  // All text is read together, because the text after a call decides whether it is one.
  const whole = texts.map((part) => part.text).join('');
  const { text, calls, note } = readCalls(whole, toolbox, { ...options, truncated: cut });
  if (calls.length === 0) return { response, echo: note === 'echo' };
  const words: AssistantPart[] = text.trim() === '' ? [] : [{ ...first, text }];
  const made = [...words, ...callParts(calls)];
  const read = parts.flatMap((part) => (part === first ? made : part.type === 'text' ? [] : [part]));
  const finish = cut ? 'length' : 'tool_calls';
  return { response: { ...response, message: { ...response.message, parts: read }, finish }, echo: false };
}

/**
 * Gives new ids to calls whose id was used before in the run, because some servers restart their count with each
 * response. Also makes arguments serializable.
 */
export function withOwnIds(response: TurnResponse, seen: { has(id: string): boolean }): TurnResponse {
  const used = new Set<string>();
  const taken = (id: string): boolean => id === '' || seen.has(id) || used.has(id);
  const parts = response.message.parts.map((part) => {
    if (part.type !== 'call') return part;
    const id = taken(part.id) ? makeId() : part.id;
    used.add(id);
    const call = writableCall(part);
    return id === call.id ? call : { ...call, id };
  });
  return { ...response, message: { ...response.message, parts } };
}

const longest = 2000;
const limits = { ...defaultLimits, keys: Number.POSITIVE_INFINITY };

/**
 * Makes a call serializable. Arguments that JSON can't express (a cycle, a BigInt, endless nesting) become a preview,
 * and the call never runs.
 */
function writableCall(part: CallPart): CallPart {
  if (typeof part.arguments === 'string' || isWritable(part.arguments)) return part;
  const message = 'Root object is nested too deep or has a value that JSON cannot express';
  const found = [...(part.found ?? []), { path: [], code: 'depth', message } as const];
  return { ...part, arguments: preview(part.arguments, longest), found };
}

function isWritable(value: unknown): boolean {
  const fault = value === undefined ? undefined : checkValue(value, limits);
  // Other limits are checked with the call, because such arguments can be serialized.
  return !fault || fault.what === 'undefined' || (fault.what === 'limit' && fault.path.length < limits.depth);
}
