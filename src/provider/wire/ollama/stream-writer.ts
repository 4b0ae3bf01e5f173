import { isObject, type JsonObject, stringifyJson } from '../../../json/value.ts';
import type { AssistantPart, TurnEvent, TurnResponse } from '../../../model/index.ts';
import { PartOrder } from '../part-order.ts';
import { sseWriter } from '../turn-assembler.ts';
import type { StreamWriter } from '../types.ts';
import { writeAssistant } from './messages.ts';
import { writeError, writeResponse } from './response.ts';

/** Writes a stream: text as it arrives, calls and images once complete. */
export const writeStream = (): StreamWriter => sseWriter((wire: JsonObject) => `${stringifyJson(wire)}\n`, writing);

function writing(line: (wire: JsonObject) => string): (event: TurnEvent) => string {
  let model = '';
  /** The field for a part's text. */
  const live = new Map<number, 'thinking' | 'content'>();
  const order = new PartOrder();
  const said = (message: JsonObject, more: JsonObject = {}): string =>
    line({
      model,
      created_at: new Date().toISOString(),
      message: { role: 'assistant', content: '', ...message },
      ...more,
      done: false,
    });
  const words = (index: number, text: string): string => {
    const field = live.get(index);
    return field === undefined || text === '' ? '' : said({ [field]: text });
  };

  return (event) => {
    switch (event.type) {
      case 'turn.started':
        model = event.model ?? '';
        return '';
      case 'part.started': {
        const field = fieldOf(event.part);
        if (field) live.set(event.index, field);
        else order.start(event.index);
        return field && 'text' in event.part ? words(event.index, event.part.text) : '';
      }
      case 'part.delta':
        return words(event.index, event.text);
      case 'part.finished':
        return live.delete(event.index) ? '' : order.finish(event.index, whole(event.part, said));
      case 'provider.unknown':
        return event.format === 'ollama' && isObject(event.value) ? said({}, event.value) : '';
      case 'turn.finished':
        return order.end() + line(last(event.response));
      case 'turn.failed':
        return order.end() + line(writeError(event.error));
      default:
        return '';
    }
  };
}

function fieldOf(part: AssistantPart): 'thinking' | 'content' | undefined {
  if (part.type === 'reasoning') return 'thinking';
  return part.type === 'text' || part.type === 'refusal' ? 'content' : undefined;
}

/** Writes a call or an image as one line; empty if the API can't express the part. */
function whole(part: AssistantPart, said: (message: JsonObject) => string): string {
  const { role: _, content: __, ...message } = writeAssistant({ role: 'assistant', parts: [part] }, '', []);
  return Object.keys(message).length > 0 ? said(message) : '';
}

/** The last line, with the finish reason and no text. */
const last = (response: TurnResponse): JsonObject =>
  writeResponse({ ...response, message: { role: 'assistant', parts: [] } }).wire;
