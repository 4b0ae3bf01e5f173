import { isObject, type JsonObject } from '../../json/value.ts';
import type { AssistantPart, Extra, TurnResponse } from '../../turn/turn.ts';
import { isNameable } from '../is-nameable.ts';
import { mustBeObject } from '../must-be.ts';
import { wholeTurn } from '../whole-turn.ts';
import { WireError } from '../wire-error.ts';
import { finishOf, leadsBack } from './finish.ts';
import { format } from './pen.ts';
import { readContent } from './read-block.ts';
import { readUsage } from './usage.ts';

/** What an answer may be made of here. */
export const answerKinds = ['text', 'reasoning', 'call'] as const;

/** Reads a whole answer of the Messages API. */
export function readResponse(wire: unknown): TurnResponse {
  const body = mustBeObject(wire, '');
  if (body.type === 'error' || isObject(body.error))
    throw new WireError('', `is an error: ${JSON.stringify(body.error)}`);
  const parts = readContent<AssistantPart>(body.content ?? [], 'content', answerKinds);
  const calls = parts.some((part) => part.type === 'call' && isNameable(part.name));
  const { id, model, usage } = body;
  const start = { ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) };
  return wholeTurn(format, start, parts.map(unmarked), {
    finish: finishOf(body.stop_reason, calls),
    ...(isObject(usage) && { usage: readUsage(usage) }),
    extra: answerExtra(body, calls),
  });
}

/** An answer's content is always a list, so that the mark of a lone text in a list says nothing. */
const unmarked = (part: AssistantPart): AssistantPart => {
  if (part.type !== 'text' || !part.extra || Object.keys(part.extra.fields).length > 0) return part;
  const { extra: _, ...bare } = part;
  return bare;
};

/** What an answer says beyond the middle shape; the word for its end only where ours does not lead back to it. */
export function answerExtra(wire: JsonObject, calls: boolean): Extra {
  const { type: _, role: __, id, model, content, usage, stop_reason: word, ...fields } = wire;
  const kept = word !== undefined && !leadsBack(word, finishOf(word, calls));
  return { format, fields: { ...fields, ...(kept && { stop_reason: word }) } };
}
