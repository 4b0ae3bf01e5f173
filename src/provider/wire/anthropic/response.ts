import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { AssistantPart, Passthrough, TurnResponse } from '../../../model/index.ts';
import { WireError } from '../errors.ts';
import { present } from '../passthrough.ts';
import { completeTurn, isNameable } from '../turn-assembler.ts';
import type { Written } from '../types.ts';
import { mustBeObject } from '../validate.ts';
import { foreignFieldWarnings } from '../warnings.ts';
import { readContent, writeBlock } from './content.ts';
import { format, layOver, newPen, ownFields, type Pen, warn } from './fields.ts';
import { finishOf, leadsBack, stopReasonOf } from './map-finish-reason.ts';
import { readUsage, writeUsage } from './usage.ts';

/** What an answer may be made of here. */
export const responseKinds = ['text', 'reasoning', 'call'] as const;

/** Reads a whole answer of the Messages API. */
export function readResponse(wire: unknown): TurnResponse {
  const body = mustBeObject(wire, '');
  if (body.type === 'error' || isObject(body.error))
    throw new WireError('', `is an error: ${JSON.stringify(body.error)}`);
  const parts = readContent<AssistantPart>(body.content ?? [], 'content', responseKinds);
  const calls = parts.some((part) => part.type === 'call' && isNameable(part.name));
  const { id, model, usage } = body;
  const start = { ...(typeof id === 'string' && { id }), ...(typeof model === 'string' && { model }) };
  return completeTurn(format, start, parts.map(unmarked), {
    finish: finishOf(body.stop_reason, calls),
    ...(isObject(usage) && { usage: readUsage(usage) }),
    passthrough: responsePassthrough(body, calls),
  });
}

/** An answer's content is always a list, so that the mark of a lone text in a list says nothing. */
const unmarked = (part: AssistantPart): AssistantPart => {
  if (part.type !== 'text' || !part.passthrough || Object.keys(part.passthrough.fields).length > 0) return part;
  const { passthrough: _, ...bare } = part;
  return bare;
};

/** What an answer says beyond the middle shape; the word for its end only where ours does not lead back to it. */
export function responsePassthrough(wire: JsonObject, calls: boolean): Passthrough {
  const { type: _, role: __, id, model, content, usage, stop_reason: word, ...fields } = wire;
  const kept = word !== undefined && !leadsBack(word, finishOf(word, calls));
  return { format, fields: { ...fields, ...(kept && { stop_reason: word }) } };
}

/** Writes a whole answer of the Messages API. What the wire always says is made up where it did not come from it. */
export function writeResponse(response: TurnResponse): Written {
  const pen = newPen(true);
  const own = ownFields(response);
  const { message, usage, dropped } = response;
  const content = message.parts.flatMap((part, index) => writeBlock(pen, `message.parts.${index}`, part) ?? []);
  if (dropped) warn(pen, 'dropped', 'Calls that name no tool are not written');
  const written = present({
    ...head(response),
    content,
    stop_sequence: own ? undefined : null,
    usage: usage || !own ? countedUsage(usage, own !== undefined) : undefined,
  });
  const wire = { ...layOver(written, response), stop_reason: endOf(pen, response) };
  return { wire, losses: [...foreignFieldWarnings(format, response), ...pen.losses] };
}

/** Who answered, as the first event of a stream says it too. */
export const head = (response: Pick<TurnResponse, 'id' | 'model' | 'passthrough'>): JsonObject => {
  const own = ownFields(response);
  return present({
    id: response.id ?? (own ? undefined : makeId('msg_')),
    type: 'message',
    role: 'assistant',
    model: response.model ?? (own ? undefined : ''),
  });
};

/** Clients add these up, so that both are always there. */
export const countedUsage = (usage: TurnResponse['usage'], own = false): JsonObject => ({
  ...(!own && { input_tokens: 0, output_tokens: 0 }),
  ...writeUsage(usage ?? {}),
});

/** The word for the end; a loss where there is none. */
export function endOf(pen: Pen, response: TurnResponse): JsonValue {
  const { finish, message, dropped } = response;
  const calls = message.parts.some(({ type }) => type === 'call');
  // A word for calls of which none is left would have the client wait for results of nothing.
  const own = dropped && !calls ? undefined : ownFields(response)?.stop_reason;
  if (own === undefined && (finish === 'other' || finish === 'error'))
    warn(pen, 'finish', `${finish} is said as end_turn`);
  return stopReasonOf(finish, own, calls);
}
