import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type {
  AssistantPart,
  Passthrough,
  TurnError,
  TurnErrorKind,
  TurnResponse,
  Usage,
} from '../../../model/index.ts';
import { statusKind, WireError } from '../errors.ts';
import { present } from '../passthrough-fields.ts';
import { completeTurn, isNameable } from '../turn-assembler.ts';
import type { Written } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { readContent, writeBlock } from './content.ts';
import { asPassthrough, format, layOver, newPen, ownFields, type Pen, passthroughOf, warn } from './fields.ts';
import { finishOf, leadsBack, stopReasonOf } from './map-finish-reason.ts';

/** Parts that a response can contain. */
export const responseKinds = ['text', 'reasoning', 'call'] as const;

/** Reads a complete response. */
export function readResponse(wire: unknown): TurnResponse {
  const body = mustBeObject(wire, '');
  if (body.type === 'error' || isObject(body.error))
    throw new WireError('', `is an error: ${JSON.stringify(body.error)}`);
  if (body.content === undefined && body.stop_reason === undefined) throw new WireError('content', 'must be a list');
  const parts = readContent<AssistantPart>(body.content ?? [], 'content', responseKinds);
  const calls = parts.some((part) => part.type === 'call' && isNameable(part.name));
  const { id, model, usage } = body;
  const start = { ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) };
  return completeTurn(format, start, parts.map(unmarked), {
    finish: finishOf(body.stop_reason, calls),
    ...(isObject(usage) && { usage: readUsage(usage) }),
    passthrough: responsePassthrough(body, calls),
  });
}

/** Removes the mark of a single text in a list, because the content of a response is always a list. */
const unmarked = (part: AssistantPart): AssistantPart => {
  if (part.type !== 'text' || !part.passthrough || Object.keys(part.passthrough.fields).length > 0) return part;
  const { passthrough: _, ...bare } = part;
  return bare;
};

/** Passthrough fields of a response, with its stop reason if ours doesn't map back to it. */
export function responsePassthrough(wire: JsonObject, calls: boolean): Passthrough {
  const { type: _, role: __, id, model, content, usage, stop_reason: word, ...fields } = wire;
  const kept = word !== undefined && !leadsBack(word, finishOf(word, calls));
  return { format, fields: { ...fields, ...(kept && { stop_reason: word }) } };
}

/** Writes a complete response, with defaults for required fields. */
export function writeResponse(response: TurnResponse): Written {
  const pen = newPen(true);
  const own = ownFields(response);
  const { message, usage, ignored } = response;
  const content = message.parts.flatMap((part, index) => writeBlock(pen, `message.parts.${index}`, part) ?? []);
  if (ignored) warn(pen, 'dropped', 'Calls without a tool name are left out');
  const written = present({
    ...head(response),
    content,
    stop_sequence: own ? undefined : null,
    usage: usage || !own ? countedUsage(usage, own !== undefined) : undefined,
  });
  const wire = { ...layOver(written, response), stop_reason: endOf(pen, response) };
  return { wire, warnings: [...foreignFieldWarnings(format, response), ...pen.warnings] };
}

/** The fields of a response that are also in the first event of a stream. */
export const head = (response: Pick<TurnResponse, 'id' | 'model' | 'passthrough'>): JsonObject => {
  const own = ownFields(response);
  return present({
    id: response.id ?? (own ? undefined : makeId('msg_')),
    type: 'message',
    role: 'assistant',
    model: response.model ?? (own ? undefined : ''),
  });
};

/** Clients add these counts up, so both are always present. */
export const countedUsage = (usage: TurnResponse['usage'], own = false): JsonObject => ({
  ...(!own && { input_tokens: 0, output_tokens: 0 }),
  ...writeUsage(usage ?? {}),
});

/** The stop reason, with a warning if there is no equivalent. */
export function endOf(pen: Pen, response: TurnResponse): JsonValue {
  const { finish, message, ignored } = response;
  const calls = message.parts.some(({ type }) => type === 'call');
  // With `tool_use` and no call left, the client would wait for results.
  const own = ignored && !calls ? undefined : ownFields(response)?.stop_reason;
  if (own === undefined && (finish === 'other' || finish === 'error'))
    warn(pen, 'finish', `${finish} is sent as end_turn`);
  return stopReasonOf(finish, own, calls);
}

const count = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Reads token usage. The API counts cached tokens apart from `input_tokens`; the common format includes them. */
export function readUsage(wire: JsonObject): Usage {
  const fresh = count(wire.input_tokens);
  const cached = count(wire.cache_read_input_tokens);
  const cacheWritten = count(wire.cache_creation_input_tokens);
  const output = count(wire.output_tokens);
  const details = wire.output_tokens_details;
  const reasoning = isObject(details) ? count(details.thinking_tokens) : undefined;
  const known = [
    ...(fresh === undefined ? [] : ['input_tokens']),
    ...(cached === undefined ? [] : ['cache_read_input_tokens']),
    ...(cacheWritten === undefined ? [] : ['cache_creation_input_tokens']),
    ...(output === undefined ? [] : ['output_tokens']),
    ...(reasoning !== undefined && Object.keys(details as JsonObject).length === 1 ? ['output_tokens_details'] : []),
  ];
  return {
    ...(fresh !== undefined && { input: fresh + (cached ?? 0) + (cacheWritten ?? 0) }),
    ...(output !== undefined && { output }),
    ...(cached !== undefined && { cached }),
    ...(cacheWritten !== undefined && { cacheWritten }),
    ...(reasoning !== undefined && { reasoning }),
    ...passthroughOf(wire, known),
  };
}

/** Writes token usage. `input_tokens` excludes cached tokens. */
export function writeUsage(usage: Usage): JsonObject {
  const { input, output, cached, cacheWritten, reasoning } = usage;
  const fresh = input === undefined ? undefined : Math.max(0, input - (cached ?? 0) - (cacheWritten ?? 0));
  const written = present({
    input_tokens: fresh,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: cacheWritten,
    output_tokens: output,
    output_tokens_details: reasoning === undefined ? undefined : { thinking_tokens: reasoning },
  });
  return layOver(written, usage);
}

/** Error types with their status. */
const types: readonly (readonly [type: string, status: number, kind: TurnErrorKind])[] = [
  ['invalid_request_error', 400, 'request'],
  ['authentication_error', 401, 'request'],
  ['billing_error', 402, 'request'],
  ['permission_error', 403, 'request'],
  ['not_found_error', 404, 'request'],
  ['conflict_error', 409, 'request'],
  ['request_too_large', 413, 'request'],
  ['rate_limit_error', 429, 'rate_limit'],
  ['api_error', 500, 'server'],
  ['timeout_error', 504, 'timeout'],
  ['overloaded_error', 529, 'server'],
];

/** Reads an error response, or an `error` event with status 0. */
export function readError(status: number, body: unknown): TurnError {
  const wire = isObject(body) ? body : {};
  const error = isObject(wire.error) ? wire.error : {};
  const type = typeof error.type === 'string' ? error.type : undefined;
  const kind = kindOf(type, status);
  return {
    kind,
    message: messageOf(status, body, error.message ?? wire.error ?? wire.message),
    retryable: kind !== 'request' && kind !== 'protocol',
    ...(status > 0 && { status }),
    ...(type !== undefined && { code: type }),
    ...(isObject(body) && asPassthrough(wire)),
  };
}

/** The error type has precedence, because the status may be a gateway's own. */
function kindOf(type: string | undefined, status: number): TurnErrorKind {
  const row = types.find(([name]) => name === type) ?? types.find(([, code]) => code === status);
  if (row) return row[2];
  return status > 0 ? statusKind(status).kind : 'server';
}

function messageOf(status: number, body: unknown, said: unknown): string {
  if (typeof said === 'string' && said !== '') return said;
  const text = typeof body === 'string' ? body.trim().slice(0, 500) : '';
  return text || (status > 0 ? `The provider responded with status ${status}` : 'The provider reported an error');
}

const words: Readonly<Record<TurnErrorKind, string>> = {
  network: 'api_error',
  timeout: 'timeout_error',
  aborted: 'api_error',
  request: 'invalid_request_error',
  rate_limit: 'rate_limit_error',
  server: 'api_error',
  protocol: 'api_error',
};

/** Writes an error response. */
export function writeError(error: TurnError): JsonObject {
  const row = types.find(([, status, kind]) => status === error.status && kind === error.kind);
  const body = { type: 'error', error: { type: row?.[0] ?? words[error.kind], message: error.message } };
  return layOver(body, error);
}
