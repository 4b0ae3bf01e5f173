import { isObject, type JsonObject } from '../../json/value.ts';
import type { AssistantPart, Extra, TurnEvent, TurnResponse } from '../../turn/turn.ts';
import { TurnAssembly } from '../turn-assembly.ts';
import { WireError } from '../wire-error.ts';
import { finishOf, leadsBack } from './finish.ts';
import { format } from './pen.ts';
import { readContent } from './read-block.ts';
import { readUsage } from './usage.ts';

/** What an answer may be made of here. */
export const answerKinds = ['text', 'reasoning', 'call'] as const;

/** Reads a whole answer of the Messages API. */
export function readResponse(wire: unknown): TurnResponse {
  if (!isObject(wire)) throw new WireError('', 'must be an object');
  if (wire.type === 'error' || isObject(wire.error))
    throw new WireError('', `is an error: ${JSON.stringify(wire.error)}`);
  const parts = readContent<AssistantPart>(wire.content ?? [], 'content', answerKinds);
  let last: TurnEvent | undefined;
  let calls = false;
  const turn = new TurnAssembly(format, (event) => {
    last = event;
    calls ||= event.type === 'part.finished' && event.part.type === 'call';
  });
  const { id, model, usage } = wire;
  turn.start({ ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) });
  for (const part of parts) turn.add(unmarked(part));
  turn.finish({
    finish: finishOf(wire.stop_reason, calls),
    ...(isObject(usage) && { usage: readUsage(usage) }),
    extra: answerExtra(wire, calls),
  });
  if (last?.type !== 'turn.finished') throw new WireError('', 'is no whole answer');
  return last.response;
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
