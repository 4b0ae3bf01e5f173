import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { TurnError, TurnErrorKind } from '../../../model/index.ts';
import { statusKind } from '../errors.ts';
import { isNumber, isText, ownFields, passthroughOf } from './fields.ts';

/** Codes and types that say what went wrong where no status does, in a stream. */
const statuses: Readonly<Record<string, number>> = {
  __proto__: null as never,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  insufficient_quota: 429,
  invalid_request_error: 400,
  authentication_error: 401,
  context_length_exceeded: 400,
};

/** Codes of a limit that waiting does not lift. */
const lasting = ['insufficient_quota', 'billing_hard_limit_reached'];

/** Our kinds in the wire's types. */
const types: Readonly<Record<TurnErrorKind, string>> = {
  network: 'server_error',
  timeout: 'server_error',
  aborted: 'server_error',
  request: 'invalid_request_error',
  rate_limit: 'rate_limit_error',
  server: 'server_error',
  protocol: 'server_error',
};

/** Whether a field says that something went wrong; servers send it empty too. */
export const isError = (error: JsonValue | undefined): error is JsonValue =>
  isText(error) || (isObject(error) && Object.keys(error).length > 0);

/** The words of an error, in whichever of the ways servers write them. */
export function errorMessage(body: JsonObject): string | undefined {
  const { error, message, detail } = body;
  if (isText(error)) return error;
  if (isObject(error) && isText(error.message)) return error.message;
  if (isText(message)) return message;
  if (isText(detail)) return detail;
  return Array.isArray(detail) ? detail.map(detailWords).filter(isText).join('; ') || undefined : undefined;
}

const detailWords = (one: JsonValue): JsonValue | undefined => (isObject(one) ? one.msg : one);

/** Reads an answer that says what went wrong; one in a stream has a status below 400, and its own code counts. */
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
    message: said ?? `The server answered ${status} and did not say why`,
    retryable: retryable && !lasting.includes(code ?? ''),
    ...((status >= 400 || isNumber(known)) && { status: real }),
    ...(code !== undefined && { code }),
    ...passthroughOf(whole),
  };
}

/** Writes what went wrong as this wire's clients expect it. */
export function writeError(error: TurnError): JsonObject {
  const own = ownFields(error);
  if (own?.error) return own;
  return { error: { message: error.message, type: types[error.kind], param: null, code: error.code ?? null } };
}
