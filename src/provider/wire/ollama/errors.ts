import { isObject, type JsonObject } from '../../../json/value.ts';
import type { TurnError } from '../../../model/index.ts';
import { statusKind } from '../errors.ts';
import { rawCallInError } from '../unparsed-call.ts';
import { asPassthrough, ownFields } from './fields.ts';

/** The words of an error: under `error`, or, from servers of before, under words that begin with it. */
export function errorText(wire: JsonObject): string | undefined {
  if (isObject(wire.error))
    return typeof wire.error.message === 'string' ? wire.error.message : JSON.stringify(wire.error);
  if (typeof wire.error === 'string') return wire.error;
  const key = Object.keys(wire).find((name) => name.startsWith('error '));
  return key === undefined ? undefined : `${key}: ${String(wire[key])}`;
}

/**
 * An answer that says what went wrong. Where the server could not read the model's own call, what the model wrote is kept
 * as `raw` (see `rawCallText`).
 */
export function readError(status: number, body: unknown): TurnError {
  const wire = isObject(body) ? body : undefined;
  const text = wire ? errorText(wire) : typeof body === 'string' ? body.slice(0, 1000) : undefined;
  const raw = text === undefined ? undefined : rawCallInError(text);
  return {
    ...statusKind(status),
    message: text || `The server answered with status ${status}`,
    ...(wire && asPassthrough({ ...wire, ...(raw !== undefined && { raw }) })),
  };
}

/** The body that says it. */
export function writeError(error: TurnError): JsonObject {
  const before = ownFields(error);
  if (!before) return { error: error.message };
  const { raw: _, ...wire } = before;
  return wire;
}
