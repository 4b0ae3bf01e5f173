import type { AIMessageChunk, ContentBlock } from '@langchain/core/messages';
import type { JsonObject } from '../../json/value.ts';
import { StreamCalls } from '../../provider/openai-chat/stream-calls.ts';
import { type Slot, TurnAssembly } from '../../provider/turn-assembly.ts';
import type { FinishReason, TurnEvent } from '../../turn/turn.ts';
import type { IsForeign } from './answer.ts';
import { finishOfMessage } from './finish-of-message.ts';

/** What a block that belongs to a call is called. */
const callBlocks = ['tool_use', 'input_json_delta', 'tool_call', 'tool_call_chunk', 'function_call'];

/** What a block of words alone has. */
const wordKeys = ['type', 'text', 'index'];

/** What a chunk says: its words and calls as events, and the rest of it, which passes as it is. */
export interface ReadChunk {
  readonly events: readonly TurnEvent[];
  /** Blocks of its content that are neither words nor calls. */
  readonly others: readonly ContentBlock[];
  /** Pieces of calls that are another's to judge. */
  readonly foreign: NonNullable<AIMessageChunk['tool_call_chunks']>;
}

/** Reads the chunks of one answer. Calls are told apart as in a provider's stream, where every one may bear the index 0. */
export class ChunkReader {
  readonly #isForeign: IsForeign;
  readonly #assembly: TurnAssembly;
  readonly #calls: StreamCalls;
  readonly #foreign = new Set<unknown>();
  readonly #said: Pick<AIMessageChunk, 'response_metadata' | 'additional_kwargs'> = {
    response_metadata: {},
    additional_kwargs: {},
  };
  /** The numbers that blocks and calls bore as they came: of words by their part, of calls by their id. */
  readonly #numbers = new Map<number | string, unknown>();
  #events: TurnEvent[] = [];
  #words: { readonly slot: Slot; readonly at: unknown } | undefined;

  constructor(isForeign: IsForeign) {
    this.#isForeign = isForeign;
    // The format matters only for what has no word in the middle shape, and that stays in the chunks.
    this.#assembly = new TurnAssembly('openai-chat', (event) => this.#events.push(event));
    this.#calls = new StreamCalls(this.#assembly);
  }

  take(chunk: AIMessageChunk, info: Record<string, unknown> = {}): ReadChunk {
    Object.assign(this.#said.response_metadata, info, chunk.response_metadata);
    Object.assign(this.#said.additional_kwargs, chunk.additional_kwargs);
    const others: ContentBlock[] = [];
    const { content } = chunk;
    if (typeof content === 'string') this.#say(content, undefined);
    else
      for (const block of content) {
        const said = block.type === 'text' && typeof block.text === 'string' ? block.text : undefined;
        if (said !== undefined) this.#say(said, block.index);
        if (said !== undefined && Object.keys(block).some((key) => !wordKeys.includes(key))) {
          others.push({ ...block, text: '' });
        } else if (said === undefined && !callBlocks.includes(block.type)) others.push(block);
      }
    this.#calls.nextDelta();
    const pieces = chunk.tool_call_chunks ?? [];
    const foreign = pieces.filter((piece) => this.#isOthers(piece));
    for (const piece of pieces) if (!foreign.includes(piece)) this.#call(piece);
    return { events: this.#taken(), others, foreign };
  }

  /** The number a part bore as it came. */
  numberOf(part: number | string): number | undefined {
    const number = this.#numbers.get(part);
    return typeof number === 'number' ? number : undefined;
  }

  /** How the answer ended, by what came. */
  get finish(): FinishReason {
    return finishOfMessage(this.#said as AIMessageChunk, this.#calls.called);
  }

  /** The stream is over. */
  end(): TurnEvent[] {
    this.#calls.close(this.finish === 'length');
    this.#assembly.finish({ finish: this.finish });
    return this.#taken();
  }

  /** The stream broke. */
  fail(message: string): TurnEvent[] {
    this.#assembly.fail({ kind: 'network', message, retryable: true });
    return this.#taken();
  }

  #say(text: string, at: unknown): void {
    if (text === '') return;
    if (this.#words?.at !== at || !this.#words?.slot.open) {
      if (this.#words) this.#assembly.close(this.#words.slot);
      this.#words = { slot: this.#assembly.open({ type: 'text', text: '' }), at };
      this.#numbers.set(this.#words.slot.index, at);
    }
    this.#assembly.grow(this.#words.slot, text);
  }

  #call({ index, id, name, args }: Piece): void {
    if (this.#words) this.#assembly.close(this.#words.slot);
    if (id) this.#numbers.set(id, index);
    const called = { ...(name && { name }), ...(args !== undefined && { arguments: args }) };
    this.#calls.take({ ...(index !== undefined && { index }), ...(id && { id }), function: called } as JsonObject);
  }

  /** Whether a piece belongs to a call that is another's; only the first piece bears the name. */
  #isOthers(piece: Piece): boolean {
    if (piece.name && this.#isForeign({ ...piece, name: piece.name })) this.#foreign.add(piece.index);
    else if (piece.name) this.#foreign.delete(piece.index);
    return this.#foreign.has(piece.index);
  }

  #taken(): TurnEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

type Piece = NonNullable<AIMessageChunk['tool_call_chunks']>[number];
