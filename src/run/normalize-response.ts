import { callParts } from '../dialect/call/call-part.ts';
import type { ReadCallsOptions } from '../dialect/call-reader.ts';
import { readCalls } from '../dialect/read-calls.ts';
import { checkValue } from '../json/check-value.ts';
import { defaultLimits } from '../json/limits.ts';
import { makeId } from '../mend/make-id.ts';
import { preview } from '../mend/preview.ts';
import type { AssistantPart, CallPart, TurnResponse } from '../model/index.ts';
import type { Toolbox } from '../tools/toolbox.ts';

/** An answer whose words were read, and whether they hold calls that only repeat what the model was shown. */
export interface NormalizedResponse {
  readonly response: TurnResponse;
  readonly echo: boolean;
}

/**
 * An answer with the calls it holds as text made calls, where no native one came: a model that writes its call as text
 * meant to call, and a loop that ends there has lost it.
 */
export function withTextCalls(response: TurnResponse, toolbox: Toolbox, options: ReadCallsOptions): NormalizedResponse {
  const { parts } = response.message;
  const texts = parts.filter((part) => part.type === 'text');
  const [first] = texts;
  if (!first || parts.some(({ type }) => type === 'call')) return { response, echo: false };
  const cut = response.finish === 'length';
  // What follows a call says whether it is one, in whichever part it stands.
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
 * The answer with a new id for every call whose id the run has seen before, since some servers count from zero each time,
 * and with calls that can be written down.
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
 * The call as a log can hold it. Arguments that are a value and no JSON (a cycle, a BigInt, a nesting without end) become
 * what can be shown of them, and the call never runs.
 */
function writableCall(part: CallPart): CallPart {
  if (typeof part.arguments === 'string' || isWritable(part.arguments)) return part;
  const message = 'Root object is nested too deep or holds what JSON cannot hold';
  const found = [...(part.found ?? []), { path: [], code: 'depth', message } as const];
  return { ...part, arguments: preview(part.arguments, longest), found };
}

function isWritable(value: unknown): boolean {
  const fault = value === undefined ? undefined : checkValue(value, limits);
  // Other limits are judged with the call: what breaks them can still be written down.
  return !fault || fault.what === 'a undefined' || (fault.what === 'limit' && fault.path.length < limits.depth);
}
