import type { ContentBlock, MessageContent, ToolCallChunk } from '@langchain/core/messages';
import { isObject } from '../../json/value.ts';
import type { TurnEvent } from '../../turn/turn.ts';

/** What a chunk holds of words and calls. */
export interface WrittenChunk {
  readonly content: MessageContent;
  readonly tool_call_chunks: ToolCallChunk[];
}

/**
 * Writes events as the fields of chunks, in the manner in which the answer came: as plain text, or as numbered blocks
 * where a provider's package uses these, which may hold the calls as well.
 */
export class ChunkWriter {
  readonly #numberOf: (part: number | string) => number | undefined;
  /** The number each part bears, by its place among the events. */
  readonly #numbers = new Map<number, number>();
  readonly #calls = new Set<number>();
  readonly #taken = new Set<number>();
  #blocks = false;
  #callBlocks = false;
  #next = 0;

  /** @param numberOf the number a part bore as it came: words by their place, calls by their id */
  constructor(numberOf: (part: number | string) => number | undefined) {
    this.#numberOf = numberOf;
  }

  /** Learns the manner of an answer, and which numbers others bear. */
  see(content: MessageContent, foreign: readonly ToolCallChunk[] = []): void {
    for (const { index } of foreign) if (index !== undefined) this.#taken.add(index);
    if (typeof content === 'string') return;
    this.#blocks ||= content.length > 0;
    this.#callBlocks ||= content.some(({ type }) => type === 'tool_use');
    for (const { index } of content) if (typeof index === 'number') this.#next = Math.max(this.#next, index + 1);
  }

  write(events: readonly TurnEvent[], others: readonly ContentBlock[] = []): WrittenChunk {
    const blocks: ContentBlock[] = [...others];
    const tool_call_chunks: ToolCallChunk[] = [];
    let text = '';
    for (const event of events) {
      if (event.type === 'part.started' && event.part.type === 'call') {
        const { id, name, arguments: given } = event.part;
        const index = this.#number(event.index, id);
        // Arguments that are a value are there at once, and nothing follows; text follows piece by piece.
        const args = isObject(given) ? JSON.stringify(given) : '';
        this.#calls.add(event.index);
        tool_call_chunks.push({ type: 'tool_call_chunk', index, id, name, args });
        if (this.#callBlocks) blocks.push({ type: 'tool_use', index, id, name, input: args });
      } else if (event.type === 'part.grew' && this.#calls.has(event.index)) {
        const index = this.#number(event.index, event.index);
        tool_call_chunks.push({ type: 'tool_call_chunk', index, args: event.text });
        if (this.#callBlocks) blocks.push({ type: 'input_json_delta', index, input: event.text });
      } else if (event.type === 'part.grew') {
        const index = this.#number(event.index, event.index);
        text += event.text;
        blocks.push({ type: 'text', index, text: event.text });
      }
    }
    return { content: this.#blocks ? blocks : text, tool_call_chunks };
  }

  /** Plain text has no number of its own, but nothing else may bear the first then. */
  #number(part: number, key: number | string): number {
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    let given = this.#numberOf(key) ?? this.#next;
    while (this.#taken.has(given)) given += 1;
    this.#taken.add(given);
    this.#next = Math.max(this.#next, given + 1);
    this.#numbers.set(part, given);
    return given;
  }
}
