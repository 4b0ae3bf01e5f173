import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { TurnError, TurnErrorKind, TurnResponse, Usage } from '../../../model/index.ts';
import { kindStatus, statusKind, WireError } from '../errors.ts';
import { errorMessage, writeError as writeChatError } from '../openai-chat/response.ts';
import { present, unreadFields, withOwnSignature } from '../passthrough-fields.ts';
import { completeTurn, type TurnEnd } from '../turn-assembler.ts';
import type { Written } from '../types.ts';
import { mustBeList, mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { asPassthrough, format, layOver, ownFields, passthroughOf, textOr } from './fields.ts';
import { dressItem, readItem, withOwnId, writeItems } from './items.ts';
import { readFinish, writeFinish } from './map-finish-reason.ts';

/** Reads a complete response. */
export function readResponse(wire: unknown): TurnResponse {
  const body = mustBeObject(wire, '');
  if (body.output === undefined && body.status === undefined) throw new WireError('output', 'must be a list');
  const parts = mustBeList(body.output, 'output').flatMap((item, index) => readItem(item, `output.${index}`));
  return completeTurn(format, readStart(body), parts, readEnd(body));
}

/** Reads the fields of a response except its output. */
export function readEnd(body: JsonObject): TurnEnd {
  const usage = readUsage(body.usage);
  return {
    ...readStart(body),
    finish: readFinish(body),
    usage,
    ...passthroughOf(body, [...known(body), ...(usage ? ['usage'] : [])]),
  };
}

/** Reads the id and the model of a response. */
export const readStart = ({ id, model }: JsonObject): { id?: string; model?: string } => ({
  ...(typeof id === 'string' && { id }),
  ...(typeof model === 'string' && { model }),
});

const known = ({ id, model }: JsonObject): string[] => [
  'output',
  ...(typeof id === 'string' ? ['id'] : []),
  ...(typeof model === 'string' ? ['model'] : []),
];

/** Writes a complete response. */
export function writeResponse(response: TurnResponse): Written {
  const warnings = foreignFieldWarnings(format, response);
  const used = new Set<string>();
  const parts = response.message.parts.map((part) => withOwnSignature(format, part));
  const items = writeItems(parts, dressItem, warnings, 'message.parts');
  const output = items.map((item) => withOwnId(item, used));
  return { wire: { ...writeBody(response, output), ...writeFinish(response) }, warnings };
}

/** The response body around its output. */
export function writeBody(
  response: Pick<TurnResponse, 'id' | 'model' | 'usage' | 'passthrough'>,
  output: JsonObject[],
): JsonObject {
  const { id, model, usage } = response;
  const own = present({ id, model, output, usage: usage && writeUsage(usage) });
  return ownFields(response) ? layOver(own, response) : { ...obligatory(), ...own };
}

/** Required fields of a response, with defaults. */
const obligatory = (): JsonObject => ({
  id: makeId('resp_'),
  object: 'response',
  created_at: Math.floor(Date.now() / 1000),
  status: 'completed',
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: '',
  parallel_tool_calls: true,
  previous_response_id: null,
  temperature: null,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: null,
  usage: null,
});

/** Locations of the token counts. The API sends 0 for unknown counts, so zeros are passed through. */
const counts = [
  ['cached', 'input_tokens_details', 'cached_tokens'],
  ['cacheWritten', 'input_tokens_details', 'cache_write_tokens'],
  ['reasoning', 'output_tokens_details', 'reasoning_tokens'],
] as const;

/** Reads token usage. */
export function readUsage(wire: JsonValue | undefined): Usage | undefined {
  if (!isObject(wire)) return undefined;
  const { input_tokens: input, output_tokens: output, total_tokens: total } = wire;
  const left = unreadFields(wire, ['input_tokens', 'output_tokens']);
  if (total === Number(input) + Number(output)) delete left.total_tokens;
  const found: Record<string, number> = {};
  for (const [name, group, key] of counts) {
    const details = left[group];
    const count = isObject(details) ? details[key] : undefined;
    if (typeof count !== 'number' || count === 0 || !isObject(details)) continue;
    found[name] = count;
    left[group] = unreadFields(details, [key]);
  }
  return {
    ...present({ input: numberOr(input), output: numberOr(output) }),
    ...found,
    // Even an empty passthrough matters: it says that missing fields were missing.
    ...asPassthrough(left),
  };
}

const numberOr = (value: JsonValue | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

/** Writes token usage, with the details that strict clients require. */
export function writeUsage(usage: Usage): JsonObject {
  const { input = 0, output = 0, cached = 0, cacheWritten, reasoning = 0 } = usage;
  const own = ownFields(usage);
  const written: JsonObject = {
    input_tokens: input,
    input_tokens_details: present({ cached_tokens: own ? usage.cached : cached, cache_write_tokens: cacheWritten }),
    output_tokens: output,
    output_tokens_details: present({ reasoning_tokens: own ? usage.reasoning : reasoning }),
    total_tokens: input + output,
  };
  if (!own) return written;
  const merged: JsonObject = { ...written, ...own };
  for (const [, group] of counts) {
    const [ours, theirs] = [written[group], own[group]];
    const both = { ...(isObject(ours) ? ours : {}), ...(isObject(theirs) ? theirs : {}) };
    if (isObject(theirs) || Object.keys(both).length > 0) merged[group] = both;
    else delete merged[group];
  }
  return merged;
}

/** Reads an error response. */
export function readError(status: number, body: unknown): TurnError {
  const error = errorIn(body);
  const message = (isObject(body) ? errorMessage(body) : textOr(body, '').slice(0, 500)) ?? '';
  return {
    ...describe(statusKind(status), error, message || `The provider responded with status ${status}`),
    ...(isObject(body) && asPassthrough(body)),
  };
}

/** Reads an error from a stream or a failed response. */
export function readErrorEvent(wire: JsonObject): TurnError {
  const error = errorIn(wire) ?? wire;
  const code = textOr(error.code, textOr(error.type, ''));
  const kind = kindsByCode.find(([pattern]) => pattern.test(code))?.[1] ?? 'server';
  const { retryable } = statusKind(kindStatus[kind]);
  return {
    ...describe({ kind, retryable }, error, textOr(error.message, 'The provider reported an error')),
    ...asPassthrough(wire),
  };
}

/** The error in a body, or the body itself. */
function errorIn(body: unknown): JsonObject | undefined {
  if (!isObject(body)) return undefined;
  if (isObject(body.error)) return body.error;
  if (typeof body.error === 'string') return { message: body.error };
  return typeof body.message === 'string' ? body : undefined;
}

/** Codes of errors that don't go away with a retry. */
const lasting = /insufficient_quota|billing|content_policy|invalid_|unsupported|not_found|policy_violation/;

function describe(
  found: Pick<TurnError, 'kind' | 'retryable' | 'status'>,
  error: JsonObject | undefined,
  message: string,
): TurnError {
  const code = textOr(error?.code, textOr(error?.type, ''));
  const retryable = found.retryable && !lasting.test(code);
  return { ...found, message, retryable, ...(code !== '' && code !== 'error' && { code }) };
}

const kindsByCode: readonly (readonly [RegExp, TurnErrorKind])[] = [
  [/rate_limit|insufficient_quota|too_many/, 'rate_limit'],
  [/timeout/, 'timeout'],
  [/server|overload|unavailable|internal/, 'server'],
  [/invalid|image|policy|unsupported|not_found|context_length|authentication|permission|residency/, 'request'],
];

/** Writes an error response, as in the Chat API. */
export function writeError(error: TurnError): JsonObject {
  const own = ownFields(error);
  return own && isObject(own.error) ? own : writeChatError(error);
}
