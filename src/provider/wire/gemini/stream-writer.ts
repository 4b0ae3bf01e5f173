import { type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import type { AssistantPart, TurnEvent, TurnResponse } from '../../../model/index.ts';
import { PartOrder } from '../part-order.ts';
import { isEmpty } from '../passthrough-fields.ts';
import { sseWriter } from '../turn-assembler.ts';
import type { StreamWriter } from '../types.ts';
import { writePart } from './content.ts';
import { ownFields } from './fields.ts';
import { writeError, writeResponse } from './response.ts';

/** Writes a stream: text as it arrives, everything else once complete, because the API has no smaller pieces. */
export const writeStream = (): StreamWriter =>
  sseWriter((value: JsonValue) => `data: ${stringifyJson(value)}\r\n\r\n`, writing);

function writing(frame: (value: JsonValue) => string): (event: TurnEvent) => string {
  let start: JsonObject = {};
  /** Parts whose text is written as it arrives. */
  const live = new Map<number, AssistantPart>();
  const order = new PartOrder();
  const part = (wire: JsonValue | undefined): string =>
    wire === undefined
      ? ''
      : frame({ candidates: [{ content: { role: 'model', parts: [wire] }, index: 0 }], ...start });
  const words = ({ type }: AssistantPart, text: string): string =>
    text === '' ? '' : part(type === 'reasoning' ? { text, thought: true } : { text });

  return (event) => {
    switch (event.type) {
      case 'turn.started':
        start = {
          ...(event.model !== undefined && { modelVersion: event.model }),
          ...(event.id !== undefined && { responseId: event.id }),
        };
        return '';
      case 'part.started':
        if (!flows(event.part)) {
          order.start(event.index);
          return '';
        }
        live.set(event.index, event.part);
        return words(event.part, event.part.text);
      case 'part.delta': {
        const flowing = live.get(event.index);
        return flowing ? words(flowing, event.text) : '';
      }
      case 'part.finished':
        if (live.delete(event.index)) return part(sealOf(event.part));
        return order.finish(event.index, part(writePart(event.part, '', [])));
      case 'provider.unknown':
        return event.format === 'gemini' ? frame(event.value) : '';
      case 'turn.finished':
        return order.end() + frame(last(event.response));
      case 'turn.failed':
        return order.end() + frame(writeError(event.error));
      default:
        return '';
    }
  };
}

type Words = Extract<AssistantPart, { type: 'text' | 'reasoning' | 'refusal' }>;

/** Whether a part is plain text that can be streamed. */
function flows(part: AssistantPart): part is Words {
  if (part.type !== 'text' && part.type !== 'refusal' && part.type !== 'reasoning') return false;
  return !(part.type === 'reasoning' && part.hidden) && isEmpty(ownFields(part) ?? {});
}

/** The signature of a part, written after its text. */
function sealOf(part: AssistantPart): JsonValue | undefined {
  if (!('signature' in part) || part.signature?.format !== 'gemini' || part.type === 'call') return undefined;
  return writePart({ ...part, text: '' }, '', []);
}

/** The last frame, with the finish reason and no parts. */
function last(response: TurnResponse): JsonObject {
  const { passthrough: _, ...message } = response.message;
  return writeResponse({ ...response, message: { ...message, parts: [] } }).wire;
}
