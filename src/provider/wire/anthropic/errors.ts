import { isObject, type JsonObject } from '../../../json/value.ts';
import type { TurnError, TurnErrorKind } from '../../../model/index.ts';
import { statusKind } from '../errors.ts';
import { asPassthrough, layOver } from './fields.ts';

/** The provider's words for what went wrong, with the status each comes with. */
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

/** Reads an error answer, or the `error` event of a stream (status 0: there was none of its own). */
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

/** The provider's word decides, because a gateway's status may be its own; an unknown word leaves it to the status. */
function kindOf(type: string | undefined, status: number): TurnErrorKind {
  const row = types.find(([name]) => name === type) ?? types.find(([, code]) => code === status);
  if (row) return row[2];
  return status > 0 ? statusKind(status).kind : 'server';
}

function messageOf(status: number, body: unknown, said: unknown): string {
  if (typeof said === 'string' && said !== '') return said;
  const text = typeof body === 'string' ? body.trim().slice(0, 500) : '';
  return text || (status > 0 ? `The provider answered with status ${status}` : 'The provider reported an error');
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

/** An error in this wire's form. */
export function writeError(error: TurnError): JsonObject {
  const row = types.find(([, status, kind]) => status === error.status && kind === error.kind);
  const body = { type: 'error', error: { type: row?.[0] ?? words[error.kind], message: error.message } };
  return layOver(body, error);
}
