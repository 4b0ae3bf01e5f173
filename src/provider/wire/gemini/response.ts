import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { TurnError, TurnErrorKind, TurnResponse } from '../../../model/index.ts';
import { kindStatus, statusKind, WireError } from '../errors.ts';
import { writeVerbatim } from '../passthrough.ts';
import { completeTurn } from '../turn-assembler.ts';
import type { Warning, Written } from '../types.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { writePart } from './content.ts';
import { asPassthrough, ownFields, proto } from './fields.ts';
import { writeFinish } from './map-finish-reason.ts';
import { content, readCandidate } from './messages.ts';
import { emptyMetadata, endOf, takeFrame, usage } from './response-metadata.ts';

/** A whole answer of the wire: its first candidate, and the others carried along. */
export function readResponse(value: unknown): TurnResponse {
  const wire = proto(value, '');
  if (isObject(wire.error))
    throw new WireError('error', `tells that the request failed: ${String(wire.error.message)}`);
  const aside = emptyMetadata();
  const found = takeFrame(aside, wire, (_, place) => place === 0);
  const message = found && readCandidate(found.content, found.where);
  const response = completeTurn('gemini', startOf(wire), message?.parts ?? [], endOf(aside));
  return message?.passthrough
    ? { ...response, message: { ...response.message, passthrough: message.passthrough } }
    : response;
}

/** What a body or frame says of the answer as a whole. */
export function startOf({ responseId, modelVersion }: JsonObject): { id?: string; model?: string } {
  return {
    ...(typeof responseId === 'string' && { id: responseId }),
    ...(typeof modelVersion === 'string' && { model: modelVersion }),
  };
}

/** A whole answer for the wire. */
export function writeResponse(response: TurnResponse): Written {
  const losses: Warning[] = foreignFieldWarnings('gemini', response);
  const { message, id, model } = response;
  const parts = message.parts.flatMap((part, index): JsonValue[] => {
    const wire = writePart(part, `message.parts.${index}`, losses);
    return wire === undefined ? [] : [wire];
  });
  const { candidates: before, ...left } = ownFields(response) ?? {};
  const said = parts.length > 0 || ownFields(message) ? { content: content(message, parts) } : {};
  const candidates = candidateList(response, said, before);
  const wire: JsonObject = {
    ...(candidates && { candidates }),
    ...(response.usage && { usageMetadata: writeVerbatim(usage, response.usage) }),
    ...(model !== undefined && { modelVersion: model }),
    ...(id !== undefined && { responseId: id }),
    ...left,
  };
  return { wire, losses };
}

/** The answer as first candidate, with what was carried of it, and the others; none where none came and none is needed. */
function candidateList(
  { finish }: TurnResponse,
  said: JsonObject,
  before: JsonValue | undefined,
): JsonValue[] | undefined {
  const [first, ...others] = Array.isArray(before) ? before : [];
  const none = before === null || (Array.isArray(before) && first === undefined);
  if (none && !said.content) return before === null ? undefined : [];
  const { finishReason: word, ...left } = isObject(first) ? first : {};
  const finishReason = writeFinish(finish, word);
  return [{ ...said, ...(finishReason && { finishReason }), ...left }, ...others];
}

/** The service's own codes for what can go wrong. */
const codes: Readonly<Record<TurnErrorKind, string>> = {
  network: 'UNAVAILABLE',
  timeout: 'DEADLINE_EXCEEDED',
  aborted: 'CANCELLED',
  request: 'INVALID_ARGUMENT',
  rate_limit: 'RESOURCE_EXHAUSTED',
  server: 'INTERNAL',
  protocol: 'INTERNAL',
};

/** An answer that says what went wrong: an object, a list of one where a stream was asked for, or any text. */
export function readError(status: number, body: unknown): TurnError {
  const whole = Array.isArray(body) ? body[0] : body;
  const error = isObject(whole) && isObject(whole.error) ? whole.error : undefined;
  const { message, status: code, code: number, details } = error ?? {};
  const retryAfter = retryDelay(details);
  const told = typeof message === 'string' && message !== '' ? message : textOf(body);
  return {
    // In the middle of a stream there is no status but the error's own.
    ...statusKind(status >= 400 ? status : typeof number === 'number' ? number : 500),
    message: told || `The service answered with status ${status}`,
    ...(typeof code === 'string' && { code }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(error && asPassthrough({ error })),
  };
}

/** The body that says it. */
export function writeError(error: TurnError): JsonObject {
  const before = ownFields(error);
  if (before && isObject(before.error)) return before;
  const { kind, message, status } = error;
  return { error: { code: status ?? kindStatus[kind], message, status: codes[kind] } };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body.slice(0, 1000) : '');

/** How long the service asks to wait: `{"@type": "…RetryInfo", "retryDelay": "12.5s"}` among the details. */
function retryDelay(details: JsonValue | undefined): number | undefined {
  for (const detail of Array.isArray(details) ? details : []) {
    const delay = isObject(detail) ? detail.retryDelay : undefined;
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN;
    if (seconds >= 0) return Math.round(seconds * 1000);
  }
  return undefined;
}
