import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { AssistantPart } from '../../turn/turn.ts';
import { rest } from '../rest.ts';
import { dressItem } from './dress-item.ts';

import { type PieceWords, piecesOf } from './piece-words.ts';
import { writeItem } from './write-item.ts';

/** An item that is being told. A message may have several parts, any other item has one. */
interface OpenItem {
  readonly id: JsonValue;
  readonly index: number;
  readonly fresh: boolean;
  readonly contents: JsonValue[];
  wire: JsonObject;
  /** Parts that have begun and not ended. */
  left: number;
  /** No part will join it. */
  closed: boolean;
  done: boolean;
  /** Its end went out as it came. */
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

/** Tells the items of one output: each is added, grows and is done, in the order its parts come. */
export class OutputWriter {
  readonly #frame: Frame;
  readonly #items: OpenItem[] = [];
  readonly #parts: (OpenPart | undefined)[] = [];
  #message: OpenItem | undefined;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  /** The items as they stand. */
  get items(): JsonObject[] {
    return this.#items.map(({ wire }) => wire);
  }

  /** Where an item of this id stands here, for events that are passed on. */
  placeOf(id: JsonValue | undefined): JsonObject {
    const found = id === undefined ? undefined : this.#items.find((item) => item.id === id);
    return found ? { output_index: found.index } : {};
  }

  /** A part begins. */
  begin(index: number, part: AssistantPart): string {
    const written = writeItem(emptied(part), [], '');
    if (!written) {
      this.#parts[index] = undefined;
      return '';
    }
    if ('more' in written && this.#message) return this.#join(index, part, this.#message);
    const text = this.#closeMessage();
    const bare = 'item' in written ? written.item : { role: 'assistant', content: [written.more] };
    const fresh = !('item' in written) || written.fresh;
    const wire = fresh ? { ...dressItem(bare), ...(bare.type !== 'reasoning' && { status: 'in_progress' }) } : bare;
    const item: OpenItem = {
      ...{ id: wire.id ?? null, index: this.#items.length, fresh, contents: [], wire, left: 0 },
      ...{ closed: wire.role !== 'assistant', done: false },
    };
    this.#items.push(item);
    if (!item.closed) this.#message = item;
    return (
      text +
      this.#frame('response.output_item.added', { output_index: item.index, item: unfilled(wire) }) +
      this.#join(index, part, item)
    );
  }

  /** More of its words. */
  grow(index: number, text: string): string {
    const part = this.#parts[index];
    if (!part?.words) return '';
    const opened = this.#open(part);
    part.text += text;
    return opened + this.#frame(part.words.grew, { ...where(part), delta: text, ...part.words.beside });
  }

  /** A part is whole. */
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

  /** Parts that were never told come now, and every item is done. */
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

  /** What the item is now that this part of it is whole. */
  #take({ item, place }: OpenPart, whole: AssistantPart): void {
    const written = writeItem(whole, [], '');
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
  if (part.type === 'call') return typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments);
  return 'text' in part ? part.text : '';
};

/** A part before it has words. */
function emptied(part: AssistantPart): AssistantPart {
  if (part.type === 'call') return { ...part, arguments: '' };
  return 'text' in part ? { ...part, text: '' } : part;
}

/** An item as it is announced: its lists fill up as their parts come. */
function unfilled(wire: JsonObject): JsonObject {
  if (wire.role === 'assistant') return { ...wire, content: [] };
  return wire.type === 'reasoning' ? { ...rest(wire, ['content']), summary: [] } : wire;
}
