import type { JsonObject } from '../../json/value.ts';
import type { TurnResponse } from '../../turn/turn.ts';
import { mustBeObject } from '../must-be.ts';
import { wholeTurn } from '../whole-turn.ts';
import { WireError } from '../wire-error.ts';
import { endOf, takeAside } from './aside.ts';
import { readAssistant } from './assistant.ts';
import { carried } from './carried.ts';
import { errorText } from './errors.ts';

/** A whole answer of the wire. */
export function readResponse(value: unknown): TurnResponse {
  const wire = mustBeObject(value, '');
  const failed = errorText(wire);
  if (failed !== undefined) throw new WireError('error', `tells that the request failed: ${failed}`);
  const said = mustBeObject(wire.message, 'message');
  const { parts, extra } = readAssistant(said, 'message');
  const aside: JsonObject = {};
  takeAside(aside, wire);
  const response = wholeTurn('ollama', startOf(wire), parts, endOf(wire, aside));
  const left = { ...extra?.fields, ...(said.role !== 'assistant' && { role: said.role ?? null }) };
  return { ...response, message: { ...response.message, ...carried(left) } };
}

/** What a body or frame says of the answer as a whole: the wire has no id for it. */
export const startOf = ({ model }: JsonObject): { model?: string } => (typeof model === 'string' ? { model } : {});
