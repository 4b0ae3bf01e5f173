import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../../json/value.ts';
import { makeId } from '../../../mend/make-id.ts';
import type { AssistantPart, TurnEvent, TurnFailed, TurnFinished, TurnStarted } from '../../../model/index.ts';
import { unreadFields, withOwnSignature } from '../passthrough-fields.ts';
import { sseWriter } from '../turn-assembler.ts';
import type { StreamWriter } from '../types.ts';
import { format, ownFields } from './fields.ts';
import { dressItem, withOwnId, writeItem } from './items.ts';
import { writeFinish } from './map-finish-reason.ts';
import { writeBody } from './response.ts';

/** Writes a stream: each item is added, sent in deltas, done, and repeated in the last event. */
export const writeStream = (): StreamWriter =>
  sseWriter((event: JsonObject) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, writing);

function writing(numbered: (event: JsonObject) => string): (event: TurnEvent) => string {
  let sequence = 0;
  const frame = (type: string, fields: JsonObject): string =>
    numbered({ type, sequence_number: sequence++, ...fields });
  const output = new OutputWriter(frame);
  let started: JsonObject | undefined;

  const start = ({ id = makeId('resp_'), model, passthrough }: Partial<TurnStarted>): string => {
    if (started) return '';
    const body = writeBody({ id, ...(model !== undefined && { model }), ...(passthrough && { passthrough }) }, []);
    started = ownFields({ passthrough }) ? body : { ...body, status: 'in_progress' };
    return frame('response.created', { response: started }) + frame('response.in_progress', { response: started });
  };
  const body = ({ response }: TurnFinished | TurnFailed): JsonObject => {
    const { id = started?.id, created_at: since } = started ?? {};
    const written = { ...writeBody(response, output.items), ...writeFinish(response) };
    const model = response.model ?? started?.model ?? '';
    const time: JsonObject = response.passthrough || since === undefined ? {} : { created_at: since };
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
      case 'part.delta':
        return output.grow(event.index, event.text);
      case 'part.finished':
        return output.end(event.index, event.part);
      case 'provider.unknown':
        return event.format === format ? pass(event.value) : '';
      case 'call.ignored':
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

/** An item that is being sent. A message can have several parts, other items have one. */
interface OpenItem {
  readonly id: JsonValue;
  readonly index: number;
  readonly fresh: boolean;
  readonly contents: JsonValue[];
  wire: JsonObject;
  /** Number of unfinished parts. */
  left: number;
  /** Whether no part can be added. */
  closed: boolean;
  done: boolean;
  /** Whether its end was passed on unchanged. */
  passed?: boolean;
}

interface OpenPart {
  readonly item: OpenItem;
  readonly place: number;
  readonly words: PieceWords | undefined;
  begun: boolean;
  text: string;
}

type Frame = (type: string, fields: JsonObject) => string;

/** Writes the items of an output: each is added, sent in deltas and done, in the order of its parts. */
class OutputWriter {
  readonly #frame: Frame;
  readonly #items: OpenItem[] = [];
  readonly #ids = new Set<string>();
  readonly #parts: (OpenPart | undefined)[] = [];
  #message: OpenItem | undefined;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  /** The current items. */
  get items(): JsonObject[] {
    return this.#items.map(({ wire }) => wire);
  }

  /** The index of the item with this id, for events that are passed on. */
  placeOf(id: JsonValue | undefined): JsonObject {
    const found = id === undefined ? undefined : this.#items.find((item) => item.id === id);
    return found ? { output_index: found.index } : {};
  }

  /** Starts a part. */
  begin(index: number, part: AssistantPart): string {
    const written = writeItem(emptied(withOwnSignature(format, part)), [], '');
    if (!written) {
      this.#parts[index] = undefined;
      return '';
    }
    if ('more' in written && this.#message) return this.#join(index, part, this.#message);
    const text = this.#closeMessage();
    const bare = 'item' in written ? written.item : { role: 'assistant', content: [written.more] };
    const fresh = !('item' in written) || written.fresh;
    const dressed = fresh ? { ...dressItem(bare), ...(bare.type !== 'reasoning' && { status: 'in_progress' }) } : bare;
    const wire = withOwnId(dressed, this.#ids, true);
    const item: OpenItem = {
      id: wire.id ?? null,
      index: this.#items.length,
      fresh,
      contents: [],
      wire,
      left: 0,
      closed: wire.role !== 'assistant',
      done: false,
    };
    this.#items.push(item);
    if (!item.closed) this.#message = item;
    return (
      text +
      this.#frame('response.output_item.added', { output_index: item.index, item: unfilled(wire) }) +
      this.#join(index, part, item)
    );
  }

  /** Adds text to a part. */
  grow(index: number, text: string): string {
    const part = this.#parts[index];
    if (!part?.words) return '';
    const opened = this.#open(part);
    part.text += text;
    return opened + this.#frame(part.words.grew, { ...where(part), delta: text, ...part.words.beside });
  }

  /** Finishes a part. */
  end(index: number, whole: AssistantPart): string {
    const part = this.#parts[index];
    if (!part) return '';
    const text = typeof (whole as { text?: unknown }).text === 'string' || whole.type === 'call' ? wordsOf(whole) : '';
    const missing = part.words && text.startsWith(part.text) && text.length > part.text.length;
    const rest = missing ? this.grow(index, text.slice(part.text.length)) : '';
    const { item } = part;
    this.#take(part, whole);
    item.left -= 1;
    const closing = this.#closePart(part, text);
    item.passed = part.begun && closing === '';
    return rest + closing + (item.closed && item.left === 0 ? this.#done(item) : '');
  }

  /** Writes the parts that were never sent, and finishes all items. */
  rest(parts: readonly AssistantPart[]): string {
    let text = '';
    for (let index = this.#parts.length; index < parts.length; index += 1) {
      const part = parts[index];
      if (part) text += this.begin(index, part) + this.end(index, part);
    }
    text += this.#closeMessage();
    for (const item of this.#items) if (!item.done) text += this.#done(item);
    return text;
  }

  #join(index: number, part: AssistantPart, item: OpenItem): string {
    const words = piecesOf(part);
    const open: OpenPart = { item, place: item.contents.length, words, begun: false, text: '' };
    this.#parts[index] = open;
    item.contents.push(null);
    item.left += 1;
    return part.type === 'text' || part.type === 'refusal' ? this.#open(open) : '';
  }

  #open(part: OpenPart): string {
    if (part.begun || !part.words?.begun) return '';
    part.begun = true;
    return this.#frame(part.words.begun, { ...where(part), part: part.words.part('') });
  }

  #closePart(part: OpenPart, text: string): string {
    const { words } = part;
    if (!words || (words.begun && !part.begun)) return '';
    const said = this.#frame(words.whole, { ...where(part), [words.field]: text, ...words.beside });
    return words.ended ? said + this.#frame(words.ended, { ...where(part), part: words.part(text) }) : said;
  }

  /** Updates the item with a finished part. */
  #take({ item, place }: OpenPart, whole: AssistantPart): void {
    const written = writeItem(withOwnSignature(format, whole), [], '');
    if (!written) return;
    if ('more' in written) {
      item.contents[place] = written.more;
      return;
    }
    const dressed = item.fresh && written.fresh ? dressItem(written.item) : written.item;
    const { content } = dressed;
    if (Array.isArray(content)) item.contents[place] = content[0] ?? null;
    else if (typeof content === 'string') item.contents[place] = content;
    item.wire = { ...dressed, ...(item.id !== null && { id: item.id }) };
  }

  #done(item: OpenItem): string {
    item.done = true;
    const [only] = item.contents;
    const content = typeof only === 'string' ? only : item.contents;
    if (item.wire.role === 'assistant' && item.contents.length > 0) item.wire = { ...item.wire, content };
    const said = this.#frame('response.output_item.done', { output_index: item.index, item: item.wire });
    return item.passed ? '' : said;
  }

  #closeMessage(): string {
    const item = this.#message;
    this.#message = undefined;
    if (!item) return '';
    item.closed = true;
    return item.left === 0 && !item.done ? this.#done(item) : '';
  }
}

const where = ({ item, place, words }: OpenPart): JsonObject => ({
  item_id: item.id,
  output_index: item.index,
  ...(words?.at && { [words.at]: words.at === 'content_index' ? place : 0 }),
});

const wordsOf = (part: AssistantPart): string => {
  if (part.type === 'call') return typeof part.arguments === 'string' ? part.arguments : stringifyJson(part.arguments);
  return 'text' in part ? part.text : '';
};

/** A part without its text. */
function emptied(part: AssistantPart): AssistantPart {
  if (part.type === 'call') return { ...part, arguments: '' };
  return 'text' in part ? { ...part, text: '' } : part;
}

/** An item as it is added, with empty lists that its parts fill. */
function unfilled(wire: JsonObject): JsonObject {
  if (wire.role === 'assistant') return { ...wire, content: [] };
  return wire.type === 'reasoning' ? { ...unreadFields(wire, ['content']), summary: [] } : wire;
}

/** The event names for a part's text. */
interface PieceWords {
  /** Event at the start, if the API has one. */
  readonly begun?: string;
  readonly grew: string;
  readonly whole: string;
  readonly ended?: string;
  /** Field for the index in the item. */
  readonly at?: 'content_index' | 'summary_index';
  /** Field for the complete text. */
  readonly field: string;
  /** Fields next to the text. */
  readonly beside: JsonObject;
  /** The part with a text. */
  readonly part: (text: string) => JsonObject;
}

const inContent = { begun: 'response.content_part.added', ended: 'response.content_part.done' };

const words = {
  text: {
    ...inContent,
    grew: 'response.output_text.delta',
    whole: 'response.output_text.done',
    at: 'content_index',
    field: 'text',
    beside: { logprobs: [] },
    part: (text) => ({ type: 'output_text', text, annotations: [], logprobs: [] }),
  },
  refusal: {
    ...inContent,
    grew: 'response.refusal.delta',
    whole: 'response.refusal.done',
    at: 'content_index',
    field: 'refusal',
    beside: {},
    part: (text) => ({ type: 'refusal', refusal: text }),
  },
  summary: {
    begun: 'response.reasoning_summary_part.added',
    grew: 'response.reasoning_summary_text.delta',
    whole: 'response.reasoning_summary_text.done',
    ended: 'response.reasoning_summary_part.done',
    at: 'summary_index',
    field: 'text',
    beside: {},
    part: (text) => ({ type: 'summary_text', text }),
  },
  thought: {
    ...inContent,
    grew: 'response.reasoning_text.delta',
    whole: 'response.reasoning_text.done',
    at: 'content_index',
    field: 'text',
    beside: {},
    part: (text) => ({ type: 'reasoning_text', text }),
  },
  arguments: {
    grew: 'response.function_call_arguments.delta',
    whole: 'response.function_call_arguments.done',
    field: 'arguments',
    beside: {},
    part: () => ({}),
  },
} satisfies Record<string, PieceWords>;

/** The events for a part; undefined for a part without deltas. */
function piecesOf(part: AssistantPart): PieceWords | undefined {
  if (part.type === 'call') return words.arguments;
  if (part.type === 'text' || part.type === 'refusal') return words[part.type];
  if (part.type !== 'reasoning') return undefined;
  return ownFields(part)?.content === undefined ? words.summary : words.thought;
}
