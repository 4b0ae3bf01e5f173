import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { TurnEvent, TurnFailed, TurnFinished, TurnStarted } from '../../turn/turn.ts';
import { makeId } from '../make-id.ts';
import { streamWriter } from '../stream-writer.ts';
import type { StreamWriter } from '../wire.ts';
import { writeFinish } from './finish.ts';
import { format } from './format.ts';
import { OutputWriter } from './output-writer.ts';
import { writeBody } from './write-response.ts';

/** Writes one stream: every item is announced, told piece by piece, told whole, and stands in the last event again. */
export const writeStream = (): StreamWriter =>
  streamWriter((event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, writing);

function writing(numbered: (event: JsonObject) => string): (event: TurnEvent) => string {
  let sequence = 0;
  const frame = (type: string, fields: JsonObject): string =>
    numbered({ type, sequence_number: sequence++, ...fields });
  const output = new OutputWriter(frame);
  let started: JsonObject | undefined;

  const start = ({ id = makeId('resp_'), model, extra }: Partial<TurnStarted>): string => {
    if (started) return '';
    const body = writeBody({ id, ...(model !== undefined && { model }), ...(extra && { extra }) }, []);
    started = extra?.format === format ? body : { ...body, status: 'in_progress' };
    return frame('response.created', { response: started }) + frame('response.in_progress', { response: started });
  };
  const body = ({ response }: TurnFinished | TurnFailed): JsonObject => {
    const { id = started?.id, created_at: since } = started ?? {};
    const written = { ...writeBody(response, output.items), ...writeFinish(response) };
    const model = response.model ?? started?.model ?? '';
    const time: JsonObject = response.extra || since === undefined ? {} : { created_at: since };
    return { ...written, ...time, model, id: id ?? null };
  };
  const finish = (event: TurnFinished): string => {
    const text = start(event.response) + output.rest(event.response.message.parts);
    const response = body(event);
    return text + frame(endings.get(response.status) ?? 'response.completed', { response });
  };
  const fail = (event: TurnFailed): string => {
    const { code = null, message } = event.error;
    const text = frame('error', { code, message, param: null });
    if (!started) return text;
    const error: JsonObject = { code: code ?? 'server_error', message };
    return text + frame('response.failed', { response: { ...body(event), status: 'failed', error } });
  };
  const pass = (value: JsonValue): string => {
    if (!isObject(value) || typeof value.type !== 'string') return `data: ${JSON.stringify(value)}\n\n`;
    const { type, sequence_number: _, ...fields } = value;
    return frame(type, { ...fields, ...output.placeOf(value.item_id) });
  };

  return (event) => {
    switch (event.type) {
      case 'turn.started':
        return start(event);
      case 'part.started':
        return start({}) + output.begin(event.index, event.part);
      case 'part.grew':
        return output.grow(event.index, event.text);
      case 'part.finished':
        return output.end(event.index, event.part);
      case 'wire.unknown':
        return event.format === format ? pass(event.value) : '';
      case 'call.dropped':
        return '';
      case 'turn.finished':
        return finish(event);
      case 'turn.failed':
        return fail(event);
    }
  };
}

const endings: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['incomplete', 'response.incomplete'],
  ['failed', 'response.failed'],
]);
