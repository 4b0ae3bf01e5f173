import { isObject, type JsonObject } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { wholeTurn } from '../whole-turn.ts';
import { WireError } from '../wire-error.ts';
import { emptyAside, endOf, takeFrame } from './aside.ts';
import { proto } from './proto.ts';
import { readCandidate } from './read-messages.ts';

/** A whole answer of the wire: its first candidate, and the others carried along. */
export function readResponse(value: unknown): TurnResponse {
  const wire = proto(value, '');
  if (isObject(wire.error))
    throw new WireError('error', `tells that the request failed: ${String(wire.error.message)}`);
  const aside = emptyAside();
  const found = takeFrame(aside, wire, (_, place) => place === 0);
  const message = found && readCandidate(found.content, found.where);
  const response = wholeTurn('gemini', startOf(wire), message?.parts ?? [], endOf(aside));
  return message?.extra ? { ...response, message: { ...response.message, extra: message.extra } } : response;
}

/** What a body or frame says of the answer as a whole. */
export function startOf({ responseId, modelVersion }: JsonObject): { id?: string; model?: string } {
  return {
    ...(typeof responseId === 'string' && { id: responseId }),
    ...(typeof modelVersion === 'string' && { model: modelVersion }),
  };
}
