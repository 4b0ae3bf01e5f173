import { isObject, type JsonObject } from '../../../json/value.ts';
import type { TurnError, TurnErrorKind } from '../../../model/index.ts';
import { kindStatus, statusKind } from '../errors.ts';
import { errorMessage, writeError as writeChatError } from '../openai-chat/errors.ts';
import { asPassthrough, ownFields, textOr } from './fields.ts';

/** Reads an answer that says what went wrong. */
export function readError(status: number, body: unknown): TurnError {
  const error = errorIn(body);
  const message = (isObject(body) ? errorMessage(body) : textOr(body, '').slice(0, 500)) ?? '';
  return {
    ...describe(statusKind(status), error, message || `The provider answered with status ${status}`),
    ...(isObject(body) && asPassthrough(body)),
  };
}

/** Reads an error that came in a stream, or in an answer that failed. */
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

/** The error inside a body, or the body where it is the error itself. */
function errorIn(body: unknown): JsonObject | undefined {
  if (!isObject(body)) return undefined;
  if (isObject(body.error)) return body.error;
  if (typeof body.error === 'string') return { message: body.error };
  return typeof body.message === 'string' ? body : undefined;
}

/** Errors that stay however often one asks. */
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

/** Writes what went wrong, as the body of an answer: it is the same as in the chat wire. */
export function writeError(error: TurnError): JsonObject {
  const own = ownFields(error);
  return own && isObject(own.error) ? own : writeChatError(error);
}
