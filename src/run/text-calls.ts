import { callPartOf } from '../dialect/call-part-of.ts';
import type { ReadCallsOptions } from '../dialect/call-reader.ts';
import { readCalls } from '../dialect/read-calls.ts';
import type { Toolbox } from '../tool/toolbox.ts';
import type { AssistantPart, TurnResponse } from '../turn/turn.ts';
import { newCallId } from './with-own-ids.ts';

/** An answer whose words were read, and whether they hold calls that only repeat what the model was shown. */
export interface ReadAnswer {
  readonly response: TurnResponse;
  readonly echo: boolean;
}

/**
 * An answer with the calls it holds as text made calls, where no native one came: a model that writes its call as text
 * meant to call, and a loop that ends there has lost it.
 */
export function withTextCalls(response: TurnResponse, toolbox: Toolbox, options: ReadCallsOptions): ReadAnswer {
  const { parts } = response.message;
  const texts = parts.filter((part) => part.type === 'text');
  const [first] = texts;
  if (!first || parts.some(({ type }) => type === 'call')) return { response, echo: false };
  const cut = response.finish === 'length';
  // What follows a call says whether it is one, in whichever part it stands.
  const whole = texts.map((part) => part.text).join('');
  const { text, calls, note } = readCalls(whole, toolbox, { ...options, cut });
  if (calls.length === 0) return { response, echo: note === 'echo' };
  const words: AssistantPart[] = text.trim() === '' ? [] : [{ ...first, text }];
  const made = [...words, ...calls.map((call) => callPartOf(call, newCallId()))];
  const read = parts.flatMap((part) => (part === first ? made : part.type === 'text' ? [] : [part]));
  const finish = cut ? 'length' : 'tool_calls';
  return { response: { ...response, message: { ...response.message, parts: read }, finish }, echo: false };
}
