import {
  AIMessageChunk,
  type AIMessageChunkFields,
  type ContentBlock,
  type MessageContent,
  type ToolCallChunk,
} from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { messageOf } from '../../execute/tool-result.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { isUnfinished } from '../../mend/finish-reason.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason, TurnEvent } from '../../model/index.ts';
import { StreamCalls } from '../../provider/wire/openai-chat/stream-calls.ts';
import { type Slot, TurnAssembler } from '../../provider/wire/turn-assembler.ts';
import { type ResponseOptions, turnMender } from '../mend-turn.ts';
import { marked, markOf, notesOf, type RefusedCall } from './annotation.ts';
import type { BoundTools } from './bound-tools.ts';
import { refusedCall, toolCallOf } from './mend-message.ts';
import { finishOfStream, type IsForeign, isNoObject } from './message-fields.ts';
import { rewriteCalls } from './rewrite-content.ts';

type Chunks = AsyncIterable<ChatGenerationChunk>;

/** Mends a streamed response. Emits one chunk per received chunk, with as much of its text and calls as possible. */
export async function* mendChunks(
  chunks: Chunks,
  { toolbox, isForeign }: BoundTools,
  options: ResponseOptions,
): AsyncGenerator<ChatGenerationChunk> {
  if (toolbox.size === 0) return yield* chunks;
  const refused: RefusedCall[] = [];
  const calls: ToolCall[] = [];
  let output: unknown;
  let notes: Record<string, string> = {};
  const onCall = (call: CheckedCall): void => {
    options.onCall?.(call);
    notes = { ...notes, ...notesOf([call]) };
    if (isNoObject(call)) refused.push(refusedCall(call, toolbox));
    else calls.push(toolCallOf(call));
  };
  const reader = new ChunkReader(isForeign);
  const writer = new ChunkWriter((part) => reader.numberOf(part));
  const mender = turnMender(toolbox, { ...options, onCall });
  const mended = (events: ReadChunk['events']) => events.flatMap((event) => mender.take(event));
  try {
    for await (const chunk of chunks) {
      const message = chunk.message as AIMessageChunk;
      const read = reader.take(message, chunk.generationInfo);
      writer.see(message.content, read.foreign);
      output ??= message.response_metadata.output;
      yield withFields(chunk, writer.write(mended(read.events), read.others), read.foreign);
    }
  } catch (error) {
    const said = writer.write(mended(reader.fail(messageOf(error))));
    if (said.content.length > 0) yield generation(new MendedChunk(said));
    throw error;
  }
  const ends = reader.end();
  const ignored = ends.some((event) => event.type === 'turn.finished' && event.response.ignored !== undefined);
  const last = writer.write(mended(ends));
  const held = { content: '', additional_kwargs: {}, response_metadata: output === undefined ? {} : { output } };
  const { response_metadata: said } = rewriteCalls(held, calls, new Set());
  const response_metadata = marked(said, { refused, finish: reader.finish, notes, ignored });
  if (last.content.length + last.tool_call_chunks.length + Object.keys(response_metadata).length > 0)
    yield generation(new MendedChunk({ ...last, response_metadata }));
}

/** A chunk with other text and calls, without the provider's own copy of the calls. */
function withFields(
  chunk: ChatGenerationChunk,
  { content, tool_call_chunks }: ReturnType<ChunkWriter['write']>,
  foreign: ReadChunk['foreign'],
): ChatGenerationChunk {
  const { id, name, additional_kwargs, response_metadata, usage_metadata } = chunk.message as AIMessageChunk;
  const { tool_calls: _, ...more } = additional_kwargs;
  const { output: __, ...said } = response_metadata;
  const message = new MendedChunk({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    content,
    additional_kwargs: more,
    response_metadata: said,
    tool_call_chunks: [...foreign, ...tool_call_chunks],
  });
  return generation(message, chunk.generationInfo);
}

const generation = (message: MendedChunk, generationInfo?: Record<string, unknown>): ChatGenerationChunk =>
  new ChatGenerationChunk({ text: message.text, message, ...(generationInfo && { generationInfo }) });

/** Types of blocks that belong to a call. */
const callBlocks = ['tool_use', 'input_json_delta', 'tool_call', 'tool_call_chunk', 'function_call'];

/** Keys of a plain text block. */
const wordKeys = ['type', 'text', 'index'];

/** The text and calls of a chunk as events, and everything else. */
interface ReadChunk {
  readonly events: readonly TurnEvent[];
  /** Blocks that are neither text nor calls. */
  readonly others: readonly ContentBlock[];
  /** Pieces of calls that aren't ours. */
  readonly foreign: NonNullable<AIMessageChunk['tool_call_chunks']>;
}

/** Reads the chunks of a response. Calls are distinguished as in a provider's stream, where all may have index 0. */
class ChunkReader {
  readonly #isForeign: IsForeign;
  readonly #assembly: TurnAssembler;
  readonly #calls: StreamCalls;
  readonly #foreign = new Set<unknown>();
  readonly #said: Pick<AIMessageChunk, 'response_metadata' | 'additional_kwargs'> = {
    response_metadata: {},
    additional_kwargs: {},
  };
  /** The original indexes of blocks and calls: of text by part, of calls by id. */
  readonly #numbers = new Map<number | string, unknown>();
  #events: TurnEvent[] = [];
  #isCut = false;
  #words: { readonly slot: Slot; readonly at: unknown } | undefined;

  constructor(isForeign: IsForeign) {
    this.#isForeign = isForeign;
    // The format only matters for passthrough fields, which stay in the chunks.
    this.#assembly = new TurnAssembler('openai-chat', (event) => this.#events.push(event));
    this.#calls = new StreamCalls(this.#assembly);
  }

  take(chunk: AIMessageChunk, info: Record<string, unknown> = {}): ReadChunk {
    Object.assign(this.#said.response_metadata, info, chunk.response_metadata);
    Object.assign(this.#said.additional_kwargs, chunk.additional_kwargs);
    // A later reason doesn't complete what one says is truncated.
    this.#isCut ||= this.finish === 'length';
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

  /** The original index of a part. */
  numberOf(part: number | string): number | undefined {
    const number = this.#numbers.get(part);
    return typeof number === 'number' ? number : undefined;
  }

  /** The finish reason. */
  get finish(): FinishReason {
    return this.#isCut ? 'length' : finishOfStream(this.#said as AIMessageChunk, this.#calls.called);
  }

  /** Ends the stream. */
  end(): TurnEvent[] {
    this.#calls.close(this.finish === 'length', isUnfinished(this.finish));
    this.#assembly.finish({ finish: this.finish });
    return this.#taken();
  }

  /** Ends a stream that broke off. */
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

  /** Whether a piece belongs to another's call. Only the first piece has the name. */
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

/** The text and calls of a chunk. */
interface WrittenChunk {
  readonly content: MessageContent;
  readonly tool_call_chunks: ToolCallChunk[];
}

/**
 * Writes events as fields of chunks, in the form of the response: plain text, or numbered blocks, which may also
 * contain the calls.
 */
class ChunkWriter {
  readonly #numberOf: (part: number | string) => number | undefined;
  /** The index of each part. */
  readonly #numbers = new Map<number, number>();
  readonly #calls = new Set<number>();
  readonly #taken = new Set<number>();
  #blocks = false;
  #callBlocks = false;
  #next = 0;

  /** @param numberOf the original index of a part: of text by position, of calls by id */
  constructor(numberOf: (part: number | string) => number | undefined) {
    this.#numberOf = numberOf;
  }

  /** Detects the form of a response, and which indexes are used. */
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
        // Arguments that are a value are complete; text follows in pieces.
        const args = isObject(given) ? JSON.stringify(given) : '';
        this.#calls.add(event.index);
        tool_call_chunks.push({ type: 'tool_call_chunk', index, id, name, args });
        if (this.#callBlocks) blocks.push({ type: 'tool_use', index, id, name, input: args });
      } else if (event.type === 'part.delta' && this.#calls.has(event.index)) {
        const index = this.#number(event.index, event.index);
        tool_call_chunks.push({ type: 'tool_call_chunk', index, args: event.text });
        if (this.#callBlocks) blocks.push({ type: 'input_json_delta', index, input: event.text });
      } else if (event.type === 'part.delta') {
        const index = this.#number(event.index, event.index);
        text += event.text;
        blocks.push({ type: 'text', index, text: event.text });
      }
    }
    return { content: this.#blocks ? blocks : text, tool_call_chunks };
  }

  /** Plain text has no index, but then the first must stay free. */
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

/**
 * A chunk of a mended response. The framework parses arguments again with each chunk and completes them, so that a
 * truncated call would run. Once a call is refused, it is listed as invalid instead.
 */
class MendedChunk extends AIMessageChunk {
  constructor(fields: AIMessageChunkFields) {
    super(fields);
    for (const { id, error } of markOf(this)?.refused ?? []) {
      const { name = '', args = '' } = (this.tool_call_chunks ?? []).find((chunk) => chunk.id === id) ?? {};
      const isOther = (call: { id?: string }): boolean => call.id !== id;
      const refused = { type: 'invalid_tool_call', id, name, args, error } as const;
      this.tool_calls = (this.tool_calls ?? []).filter(isOther);
      this.invalid_tool_calls = [...(this.invalid_tool_calls ?? []).filter(isOther), refused];
    }
  }

  /**
   * The class that checkpoints restore. As a chunk it would parse the arguments again, and a refused call would become
   * valid; a complete message keeps its calls.
   */
  override get lc_id(): string[] {
    const isRefused = (this.invalid_tool_calls ?? []).length > 0;
    return [...this.lc_namespace, isRefused ? 'AIMessage' : 'AIMessageChunk'];
  }
}
