import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { TurnError, TurnErrorKind } from '../../../model/index.ts';
import { kindStatus, statusKind } from '../errors.ts';
import { asPassthrough, ownFields } from './fields.ts';

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
