import { isObject, type JsonObject } from '../../json/value.ts';
import type { Format, TurnError, TurnResponse } from '../../model/index.ts';

/** Where a service that could not read its model's call says what the model wrote. */
const places: Partial<Record<Format, (fields: JsonObject) => unknown>> = {
  ollama: ({ raw }) => raw,
  // Some put a sentence of their own there; what calls has a brace.
  'openai-chat': ({ error }) => {
    if (!isObject(error)) return undefined;
    const { failed_generation: text, message } = error;
    if (typeof text === 'string' && text.includes('{')) return text;
    return typeof message === 'string' ? rawCallInError(message) : undefined;
  },
  gemini: ({ candidates }) => {
    const first = Array.isArray(candidates) ? candidates[0] : undefined;
    const malformed = isObject(first) && first.finishReason === 'MALFORMED_FUNCTION_CALL';
    return malformed && typeof first.finishMessage === 'string' ? first.finishMessage.replace(label, '') : undefined;
  },
};

const label = /^\s*malformed function call:?\s*/i;

/**
 * The model's own text where the service could not read it as a call, from an error or an answer that ended by it, so that
 * it can be read here; nothing where there is none.
 */
export function rawCallText({ passthrough }: TurnError | TurnResponse): string | undefined {
  const text = passthrough && places[passthrough.format]?.(passthrough.fields);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

const opening = "raw='";

/** What the model wrote, in an error's words: some servers put it between quotes there, followed by their own fault. */
export function rawCallInError(text: string): string | undefined {
  const start = text.indexOf(opening);
  if (!text.includes('parsing tool call') || start < 0) return undefined;
  const from = start + opening.length;
  const end = text.lastIndexOf("', err=");
  return end >= from ? text.slice(from, end) : text.slice(from).replace(/'$/, '');
}
