import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import type { AssistantPart, ReasoningPart, TurnEvent, TurnResponse } from '../../../model/index.ts';
import { argumentsText } from '../arguments.ts';
import { present } from '../passthrough-fields.ts';
import { sseWriter } from '../turn-assembler.ts';
import type { StreamWriter } from '../types.ts';
import { writeBlock } from './content.ts';
import { format, newPen, ownFields } from './fields.ts';
import { countedUsage, endOf, head, writeError, writeUsage } from './response.ts';

/** Writes a stream. Blocks are sent one after another, so parallel parts wait for the previous one. */
export const writeStream = (): StreamWriter =>
  // An event is named after the type of its data.
  sseWriter((event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, writing);

function writing(frame: (event: JsonObject) => string): (event: TurnEvent) => string {
  const waiting: StreamPart[] = [];
  const byIndex = new Map<number, StreamPart>();
  let begun: JsonObject | undefined;
  let blocks = 0;

  const start = (about: Pick<TurnResponse, 'id' | 'model' | 'passthrough'>): string => {
    if (begun) return '';
    begun = ownFields(about) ?? { stop_sequence: null };
    const message = {
      ...head(about),
      content: [],
      stop_reason: null,
      ...begun,
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return frame({ type: 'message_start', message });
  };
  /** Sends what the first waiting part has, and continues with the next when it is done. */
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
      case 'part.delta':
        byIndex.get(event.index)?.grow(event.text);
        return flush();
      case 'part.finished':
        byIndex.get(event.index)?.finish(event.part);
        return flush();
      case 'call.ignored':
        return '';
      case 'provider.unknown':
        return event.format === format && isObject(event.value) && event.value.type ? frame(event.value) : '';
      case 'turn.finished':
        return finish(event.response);
      case 'turn.failed':
        return frame(writeError(event.error));
    }
  };
}

/** The end of the response, with everything that wasn't known at its start. */
function messageDelta(response: TurnResponse, begun: JsonObject): JsonObject {
  const pen = newPen(true);
  const fields = { ...ownFields(response) };
  for (const [key, value] of Object.entries(fields)) if (begun[key] === value && value !== null) delete fields[key];
  const { context_management, input_transformations, ...delta } = fields;
  return present({
    type: 'message_delta',
    delta: { stop_sequence: null, ...delta, stop_reason: endOf(pen, response) },
    usage: ownFields(response) ? writeUsage(response.usage ?? {}) : countedUsage(response.usage),
    context_management,
    input_transformations,
  });
}

/** A part that is being sent, with its text that is still pending. */
class StreamPart {
  #part: AssistantPart;
  #pending: string;
  #said = false;
  #began = false;
  #finished = false;
  #stopped = false;

  constructor(part: AssistantPart) {
    this.#part = part;
    this.#pending = wordsOf(part);
  }

  /** Whether everything was written. */
  get done(): boolean {
    return this.#stopped;
  }

  /** Whether the API could express the part. */
  get written(): boolean {
    return this.#began;
  }

  /** A server tool is sent once finished, and reasoning once it has text or a signature. */
  get #ready(): boolean {
    if (this.#part.type === 'reasoning') return this.#pending !== '' || (this.#finished && sealed(this.#part));
    return this.#finished || this.#part.type !== 'opaque';
  }

  grow(text: string): void {
    this.#pending += text;
  }

  /** @param part the finished part; by default the part as it is */
  finish(part = this.#part): void {
    this.#finished = true;
    this.#part = part;
    if (this.#said || this.#pending !== '') return;
    this.#pending = part.type === 'call' ? argumentsText(part.arguments) : wordsOf(part);
  }

  /** The events that can be sent now. */
  take(index: number): JsonObject[] {
    const events: JsonObject[] = [];
    if (!this.#began && this.#ready) {
      const block = firstBlock(this.#part);
      if (block) events.push({ type: 'content_block_start', index, content_block: block });
      this.#began = block !== undefined;
    }
    const delta = (value: JsonObject): number => events.push({ type: 'content_block_delta', index, delta: value });
    if (this.#began && this.#pending !== '') {
      delta(deltaOf(this.#part, this.#pending));
      this.#pending = '';
      this.#said = true;
    }
    if (!this.#finished || this.#stopped) return events;
    this.#stopped = true;
    if (!this.#began) return events;
    for (const last of lastDeltas(this.#part)) delta(last);
    events.push({ type: 'content_block_stop', index });
    return events;
  }
}

const sealed = (part: ReasoningPart): boolean => part.signature?.format === format || ownFields(part) !== undefined;

/** The initial text of a part. Arguments that are a value are written at the end. */
const wordsOf = (part: AssistantPart): string => {
  if (part.type === 'call') return typeof part.arguments === 'string' ? part.arguments : '';
  return 'text' in part ? part.text : '';
};

/** The block at its start, empty for deltas to fill; undefined if the API can't express the part. */
function firstBlock(part: AssistantPart): JsonObject | undefined {
  const pen = newPen(true);
  // Empty reasoning would be dropped, but this part has more text to come.
  const filled = part.type === 'reasoning' && !part.hidden ? { ...part, text: part.text || ' ' } : part;
  const block = writeBlock(pen, '', filled);
  if (!block) return undefined;
  const empty = emptied.get(block.type);
  const begun = empty ? { ...block, ...empty } : { ...block };
  if (Array.isArray(begun.citations)) begun.citations = [];
  if (isObject(begun.input)) begun.input = {};
  return begun;
}

const emptied = new Map<JsonValue | undefined, JsonObject>([
  ['text', { text: '' }],
  ['thinking', { thinking: '', signature: '' }],
]);

function deltaOf(part: AssistantPart, text: string): JsonObject {
  if (part.type === 'call') return { type: 'input_json_delta', partial_json: text };
  return part.type === 'reasoning' ? { type: 'thinking_delta', thinking: text } : { type: 'text_delta', text };
}

/** Deltas for fields that are only known at the end of a part. */
function lastDeltas(part: AssistantPart): JsonObject[] {
  const block = writeBlock(newPen(true), '', part);
  if (block?.type === 'thinking' && block.signature) return [{ type: 'signature_delta', signature: block.signature }];
  if (block?.type === 'text' && Array.isArray(block.citations))
    return block.citations.map((citation) => ({ type: 'citations_delta', citation }));
  if (part.type === 'opaque' && isObject(block?.input) && Object.keys(block.input).length > 0)
    return [{ type: 'input_json_delta', partial_json: stringifyJson(block.input) }];
  return [];
}
