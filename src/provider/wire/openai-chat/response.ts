import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { AssistantPart, TurnError, TurnErrorKind, TurnResponse, Usage } from '../../../model/index.ts';
import { statusKind, WireError } from '../errors.ts';
import { present } from '../passthrough-fields.ts';
import { completeTurn, isNameable } from '../turn-assembler.ts';
import type { Warning, Written } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { isOpaqueCall } from './calls.ts';
import {
  asPassthrough,
  format,
  isNumber,
  isText,
  listAt,
  mergeOver,
  ownFields,
  passthroughOf,
  putBack,
  take,
} from './fields.ts';
import { finishOf, wireFinishReason, wireFinishReasons } from './map-finish-reason.ts';
import { readAssistant, writeAssistant } from './messages.ts';

/** Reads a complete response. The first choice counts, others pass through. */
export function readResponse(wire: unknown): TurnResponse {
  const { id, model, usage: counted, choices, ...rest } = mustBeObject(wire, '');
  if (isError(rest.error)) throw new WireError('error', `reports: ${errorMessage(rest) ?? 'no details'}`);
  const [first, ...others] = listAt(choices, 'choices');
  const { message: written, finish_reason: reason, ...choice } = mustBeObject(first, 'choices.0');
  const message = readAssistant(mustBeObject(written, 'choices.0.message'), 'choices.0.message', makeId);
  const finish = finishOf(reason, message.parts.some(isCall));
  const usage = readUsage(counted);
  // Null and invalid values pass through.
  if (reason !== undefined && reason !== wireFinishReasons[finish]) choice.finish_reason = reason;
  if (counted !== undefined && !usage) rest.usage = counted;
  if (id !== undefined && !isText(id)) rest.id = id;
  if (model !== undefined && !isText(model)) rest.model = model;
  const start = { ...(isText(id) && { id }), ...(isText(model) && { model }) };
  const response = completeTurn(format, start, message.parts, {
    finish,
    ...(usage && { usage }),
    ...asPassthrough({ ...rest, choices: [choice, ...others] }),
  });
  return { ...response, message: { ...message, ...response.message } };
}

/** Whether a part is a function call with a name, or an opaque call. */
const isCall = (part: AssistantPart): boolean => (part.type === 'call' ? isNameable(part.name) : isOpaqueCall(part));

/** Writes a complete response, and generates required fields that are missing. */
export function writeResponse(response: TurnResponse): Written {
  const warnings: Warning[] = foreignFieldWarnings(format, response);
  const { choices, ...own } = ownFields(response) ?? {};
  const [first, ...others] = Array.isArray(choices) ? choices : [];
  const message = writeAssistant(response.message, { where: 'message', warnings }, true);
  const wire: JsonObject = {
    id: response.id ?? makeId('chatcmpl-'),
    object: 'chat.completion',
    created: now(own),
    model: response.model ?? '',
    ...own,
    choices: [
      {
        index: 0,
        message: isObject(first) || ownFields(response.message) ? message : { refusal: null, ...message },
        ...(isObject(first) ? first : { logprobs: null }),
        finish_reason: wireFinishReason(response, isObject(first) ? first.finish_reason : undefined),
      },
      ...others,
    ],
    ...(response.usage && { usage: writeUsage(response.usage) }),
  };
  return { wire, warnings };
}

/** Creation time in seconds: as received, or now. */
export const now = (own: Readonly<Record<string, JsonValue>>): number =>
  isNumber(own.created) ? own.created : Math.floor(Date.now() / 1000);

/** Reads `usage`; undefined if it is invalid. */
export function readUsage(wire: unknown): Usage | undefined {
  if (!isObject(wire)) return undefined;
  const rest = { ...wire };
  const input = take(rest, 'prompt_tokens', isNumber);
  const written = take(rest, 'completion_tokens', isNumber);
  const cached = takeDetail(rest, 'prompt_tokens_details', 'cached_tokens') ?? countOf(rest.prompt_cache_hit_tokens);
  const cacheWritten = takeDetail(rest, 'prompt_tokens_details', 'cache_write_tokens');
  const reasoning = takeDetail(rest, 'completion_tokens_details', 'reasoning_tokens');
  const total = countOf(rest.total_tokens);
  const output = withThoughts(input, written, reasoning, total);
  if (output !== written && written !== undefined) rest.completion_tokens = written;
  else if (input !== undefined && written !== undefined && total === input + written) delete rest.total_tokens;
  return { ...counts({ input, output, cached, cacheWritten, reasoning }), ...passthroughOf(rest) };
}

const countOf = (value: unknown): number | undefined => (isNumber(value) ? value : undefined);

/** Some servers don't include reasoning tokens in the output tokens, which their total reveals. */
function withThoughts(
  input: number | undefined,
  written: number | undefined,
  thought: number | undefined,
  total: number | undefined,
): number | undefined {
  if (input === undefined || written === undefined || !thought) return written;
  return total === input + written + thought ? written + thought : written;
}

const counts = (all: Readonly<Record<keyof Omit<Usage, 'passthrough'>, number | undefined>>): Usage =>
  present(all) as Usage;

function takeDetail(rest: JsonObject, key: string, name: string): number | undefined {
  const details = rest[key];
  if (!isObject(details)) return undefined;
  const left = { ...details };
  const value = take(left, name, isNumber);
  if (value !== undefined) putBack(rest, key, left);
  return value;
}

/** Writes `usage`. The total is the sum of input and output. */
export function writeUsage(usage: Usage): JsonObject {
  const { input, output, cached, cacheWritten, reasoning } = usage;
  const both = input !== undefined && output !== undefined;
  const ours = isNumber(ownFields(usage)?.prompt_cache_hit_tokens);
  const prompt = present({ cached_tokens: ours ? undefined : cached, cache_write_tokens: cacheWritten });
  const completion = present({ reasoning_tokens: reasoning });
  return mergeOver(
    {
      ...present({ prompt_tokens: input, completion_tokens: output, total_tokens: both ? input + output : undefined }),
      ...(Object.keys(prompt).length > 0 && { prompt_tokens_details: prompt }),
      ...(Object.keys(completion).length > 0 && { completion_tokens_details: completion }),
    },
    usage,
  );
}

/** Statuses of error codes and types, for errors in a stream. */
const statuses: Readonly<Record<string, number>> = {
  __proto__: null as never,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  authentication_error: 401,
  context_length_exceeded: 400,
};

/** Codes of limits that waiting doesn't lift. */
const lasting = ['insufficient_quota', 'billing_hard_limit_reached'];

/** Error types of the API by kind. */
const types: Readonly<Record<TurnErrorKind, string>> = {
  network: 'server_error',
  timeout: 'server_error',
  aborted: 'server_error',
  request: 'invalid_request_error',
  rate_limit: 'rate_limit_error',
  server: 'server_error',
  protocol: 'server_error',
};

/** Whether an error field is set. Some servers send it empty. */
export const isError = (error: JsonValue | undefined): error is JsonValue =>
  isText(error) || (isObject(error) && Object.keys(error).length > 0);

/** The message of an error, in any of the forms servers use. */
export function errorMessage(body: JsonObject): string | undefined {
  const { error, message, detail } = body;
  if (isText(error)) return error;
  if (isObject(error) && isText(error.message)) return error.message;
  if (isText(message)) return message;
  if (isText(detail)) return detail;
  return Array.isArray(detail) ? detail.map(detailWords).filter(isText).join('; ') || undefined : undefined;
}

/** A fault of a request, with the field that it is in. */
function detailWords(one: JsonValue): JsonValue | undefined {
  if (!isObject(one)) return one;
  const where = Array.isArray(one.loc) ? one.loc.filter((step) => step !== 'body').join('.') : '';
  return isText(one.msg) && where !== '' ? `${where}: ${one.msg}` : one.msg;
}

/** Reads an error response. An error in a stream has a status below 400, so its own code counts. */
export function readError(status: number, body: unknown): TurnError {
  const whole = isObject(body) ? body : {};
  const inner = isObject(whole.error) ? whole.error : whole;
  const code = [inner.code, inner.type].find(isText);
  const known = [inner.code, inner.status, whole.code].find((one) => isNumber(one) && one >= 400 && one < 600);
  const real = status >= 400 ? status : isNumber(known) ? known : (statuses[code ?? ''] ?? 500);
  const said = errorMessage(whole) ?? (isText(body) ? body.slice(0, 500) : undefined);
  const { kind, retryable } = statusKind(real);
  return {
    kind,
    message: said ?? `The server responded with status ${status} and no message`,
    retryable: retryable && !lasting.includes(code ?? ''),
    ...((status >= 400 || isNumber(known)) && { status: real }),
    ...(code !== undefined && { code }),
    ...passthroughOf(whole),
  };
}

/** Writes an error response. */
export function writeError(error: TurnError): JsonObject {
  const own = ownFields(error);
  if (own?.error) return own;
  return { error: { message: error.message, type: types[error.kind], param: null, code: error.code ?? null } };
}
