import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { TurnError, TurnErrorKind, TurnResponse } from '../../../model/index.ts';
import { kindStatus, statusKind, WireError } from '../errors.ts';
import { writeVerbatim } from '../passthrough-fields.ts';
import { completeTurn } from '../turn-assembler.ts';
import type { Warning, Written } from '../types.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { writePart } from './content.ts';
import { asPassthrough, ownFields, proto } from './fields.ts';
import { writeFinish } from './map-finish-reason.ts';
import { content, readCandidate } from './messages.ts';
import { emptyMetadata, endOf, takeFrame, usage } from './response-metadata.ts';

/** Reads a complete response: its first candidate. Others pass through. */
export function readResponse(value: unknown): TurnResponse {
  const wire = proto(value, '');
  if (isObject(wire.error))
    throw new WireError('error', `reports that the request failed: ${String(wire.error.message)}`);
  if (Object.keys(wire).length === 0) throw new WireError('candidates', 'must be a list');
  const aside = emptyMetadata();
  const found = takeFrame(aside, wire, (_, place) => place === 0);
  const message = found && readCandidate(found.content, found.where);
  const response = completeTurn('gemini', startOf(wire), message?.parts ?? [], endOf(aside));
  return message?.passthrough
    ? { ...response, message: { ...response.message, passthrough: message.passthrough } }
    : response;
}

/** Reads the id and the model of a body or frame. */
export function startOf({ responseId, modelVersion }: JsonObject): { id?: string; model?: string } {
  return {
    ...(typeof responseId === 'string' && { id: responseId }),
    ...(typeof modelVersion === 'string' && { model: modelVersion }),
  };
}

/** Writes a complete response. */
export function writeResponse(response: TurnResponse): Written {
  const warnings: Warning[] = foreignFieldWarnings('gemini', response);
  const { message, id, model } = response;
  const parts = message.parts.flatMap((part, index): JsonValue[] => {
    const wire = writePart(part, `message.parts.${index}`, warnings);
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
  return { wire, warnings };
}

/**
 * Writes the response as first candidate with its passthrough fields, followed by the other candidates. None if there
 * were none and none is needed.
 */
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

/** Gemini's error codes. */
const codes: Readonly<Record<TurnErrorKind, string>> = {
  network: 'UNAVAILABLE',
  timeout: 'DEADLINE_EXCEEDED',
  aborted: 'CANCELLED',
  request: 'INVALID_ARGUMENT',
  rate_limit: 'RESOURCE_EXHAUSTED',
  server: 'INTERNAL',
  protocol: 'INTERNAL',
};

/** Reads an error response: an object, a list with one (for streams), or text. */
export function readError(status: number, body: unknown): TurnError {
  const whole = Array.isArray(body) ? body[0] : body;
  const error = isObject(whole) && isObject(whole.error) ? whole.error : undefined;
  const { message, status: code, code: number, details } = error ?? {};
  const retryAfter = retryDelay(details);
  const told = typeof message === 'string' && message !== '' ? message : textOf(body);
  return {
    // Within a stream, only the error itself has a status.
    ...statusKind(status >= 400 ? status : typeof number === 'number' ? number : 500),
    message: told || `The service responded with status ${status}`,
    ...(typeof code === 'string' && { code }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(error && asPassthrough({ error })),
  };
}

/** Writes an error response. */
export function writeError(error: TurnError): JsonObject {
  const before = ownFields(error);
  if (before && isObject(before.error)) return before;
  const { kind, message, status } = error;
  return { error: { code: status ?? kindStatus[kind], message, status: codes[kind] } };
}

const textOf = (body: unknown): string => (typeof body === 'string' ? body.slice(0, 1000) : '');

/** The requested delay: `{"@type": "…RetryInfo", "retryDelay": "12.5s"}` in the details. */
function retryDelay(details: JsonValue | undefined): number | undefined {
  for (const detail of Array.isArray(details) ? details : []) {
    const delay = isObject(detail) ? detail.retryDelay : undefined;
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN;
    if (seconds >= 0) return Math.round(seconds * 1000);
  }
  return undefined;
}
