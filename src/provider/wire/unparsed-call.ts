import { checkArgument, isObject, type JsonObject } from '../../json/value.ts';
import type { Format, TurnError, TurnResponse } from '../../model/index.ts';

/** Where a service reports model output that it couldn't parse as a call. */
const places: Partial<Record<Format, (fields: JsonObject) => unknown>> = {
  ollama: ({ raw }) => raw,
  // Some services put a sentence there; a call contains a brace or a tag.
  'openai-chat': (fields) => {
    const { error } = fields;
    const text = isObject(error) ? error.failed_generation : undefined;
    return typeof text === 'string' && /[{<]/.test(text) ? text : inMessage(fields);
  },
  'openai-responses': inMessage,
  anthropic: inMessage,
  gemini: ({ candidates }) => {
    const first = Array.isArray(candidates) ? candidates[0] : undefined;
    const malformed = isObject(first) && first.finishReason === 'MALFORMED_FUNCTION_CALL';
    return malformed && typeof first.finishMessage === 'string' ? first.finishMessage.replace(label, '') : undefined;
  },
};

const label = /^\s*malformed function call:?\s*/i;

/**
 * The model output that a service couldn't parse as a call, from an error or a failed response; undefined if there is
 * none.
 */
export function rawCallText(turn: TurnError | TurnResponse): string | undefined {
  checkArgument(isObject(turn), 'turn', 'a response or an error of a turn', turn);
  const { passthrough } = turn;
  const text = passthrough && places[passthrough.format]?.(passthrough.fields);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The model output in the message of an error. */
function inMessage({ error }: JsonObject): string | undefined {
  const message = isObject(error) ? error.message : error;
  if (typeof message !== 'string') return undefined;
  if (betweenTokens.test(message)) return message;
  return unparsedInput.exec(message)?.[1] ?? rejectedOutput(message) ?? rawCallInError(message);
}

/** vLLM checks forced calls with pydantic, which quotes its input as Python text. */
const rejected =
  /^\d+ validation errors? for list\[function-wrap[\s\S]*\[type=json_invalid, input_value=(['"])([\s\S]*)\1, input_type=str\]/;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The output in an error of pydantic. Of a long one, only both ends are quoted, so that it isn't a call. */
function rejectedOutput(message: string): string | undefined {
  const quoted = rejected.exec(message)?.[2];
  if (quoted === undefined || quoted.includes('...')) return undefined;
  return quoted.replace(/\\([ntr'"\\])/g, (_, char: string) => escapes[char] ?? char);
}

/** Some servers send the output as their message. No sentence starts and ends with special tokens. */
const betweenTokens = /^\s*<[|｜][\s\S]*[|｜]>\s*$/;

/** llama.cpp quotes the output from the position on where its parser stopped. */
const unparsedInput = /^Failed to parse input at pos \d+: ([\s\S]+)$/;

const opening = "raw='";

/** The model output in an error message: some servers quote it, followed by their own parse error. */
export function rawCallInError(text: string): string | undefined {
  const start = text.indexOf(opening);
  if (!text.includes('parsing tool call') || start < 0) return undefined;
  const from = start + opening.length;
  const end = text.lastIndexOf("', err=");
  return end >= from ? text.slice(from, end) : text.slice(from).replace(/'$/, '');
}
