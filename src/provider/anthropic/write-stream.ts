import { isObject, type JsonObject } from '../../json/value.ts';
import type { AssistantPart, TurnEvent, TurnResponse } from '../../turn/turn.ts';
import { present } from '../carry.ts';
import { streamWriter } from '../stream-writer.ts';
import type { StreamWriter } from '../wire.ts';
import { writeError } from './error.ts';
import { format, newPen, ours } from './pen.ts';
import { StreamPart } from './stream-part.ts';
import { writeUsage } from './usage.ts';
import { countedUsage, endOf, head } from './write-response.ts';

/**
 * Writes a streamed answer. Blocks come one after another on this wire, so that parts which grow side by side wait for
 * the one before them.
 */
export const writeStream = (): StreamWriter =>
  // An event is named as its data's type.
  streamWriter((event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, writing);

function writing(frame: (event: JsonObject) => string): (event: TurnEvent) => string {
  const waiting: StreamPart[] = [];
  const byIndex = new Map<number, StreamPart>();
  let begun: JsonObject | undefined;
  let blocks = 0;

  const start = (about: Pick<TurnResponse, 'id' | 'model' | 'extra'>): string => {
    if (begun) return '';
    begun = ours(about) ? (about.extra?.fields ?? {}) : { stop_sequence: null };
    const message = {
      ...head(about),
      content: [],
      stop_reason: null,
      ...begun,
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return frame({ type: 'message_start', message });
  };
  /** What the first of those that wait can say now, and the next ones when it is done. */
  const flush = (): string => {
    let text = '';
    for (let [first] = waiting; first; [first] = waiting) {
      text += first.take(blocks).map(frame).join('');
      if (!first.done) break;
      if (first.written) blocks += 1;
      waiting.shift();
    }
    return text;
  };
  const finish = (response: TurnResponse): string => {
    for (const part of waiting) part.finish();
    return start(response) + flush() + frame(messageDelta(response, begun ?? {})) + frame({ type: 'message_stop' });
  };
  const open = (index: number, part: AssistantPart): string => {
    const written = new StreamPart(part);
    byIndex.set(index, written);
    waiting.push(written);
    return flush();
  };

  return (event) => {
    switch (event.type) {
      case 'turn.started':
        return start(event);
      case 'part.started':
        return start({}) + open(event.index, event.part);
      case 'part.grew':
        byIndex.get(event.index)?.grow(event.text);
        return flush();
      case 'part.finished':
        byIndex.get(event.index)?.finish(event.part);
        return flush();
      case 'call.dropped':
        return '';
      case 'wire.unknown':
        return event.format === format && isObject(event.value) && event.value.type ? frame(event.value) : '';
      case 'turn.finished':
        return finish(event.response);
      case 'turn.failed':
        return frame(writeError(event.error));
    }
  };
}

/** How it ended, with all that was not known when it began. */
function messageDelta(response: TurnResponse, begun: JsonObject): JsonObject {
  const pen = newPen(true);
  const fields = ours(response) ? { ...response.extra?.fields } : {};
  for (const [key, value] of Object.entries(fields)) if (begun[key] === value && value !== null) delete fields[key];
  const { context_management, input_transformations, ...delta } = fields;
  return present({
    type: 'message_delta',
    delta: { stop_sequence: null, ...delta, stop_reason: endOf(pen, response) },
    usage: ours(response) ? writeUsage(response.usage ?? {}) : countedUsage(response.usage),
    context_management,
    input_transformations,
  });
}
