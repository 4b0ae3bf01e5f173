import type { AIMessageChunk } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import type { JudgedCall } from '../../call/mended-call.ts';
import { messageOf } from '../../exec/tool-result.ts';
import type { AnswerOptions } from '../mend-options.ts';
import { TurnMender } from '../turn-mender.ts';
import type { BoundTools } from './bound-tools.ts';
import { ChunkReader, type ReadChunk } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { isNoObject } from './is-no-object.ts';
import { marked, notesOf, type RefusedCall } from './mark.ts';
import { MendedChunk } from './mended-chunk.ts';
import { rewriteCalls } from './rewrite-calls.ts';
import { refusedCall, toolCallOf } from './write-message.ts';

type Chunks = AsyncIterable<ChatGenerationChunk>;

/** Mends an answer as it streams. For each chunk that comes one goes out, with as much of its words and calls as can be said. */
export async function* mendChunks(
  chunks: Chunks,
  { toolbox, isForeign }: BoundTools,
  options: AnswerOptions,
): AsyncGenerator<ChatGenerationChunk> {
  if (toolbox.size === 0) return yield* chunks;
  const refused: RefusedCall[] = [];
  const calls: ToolCall[] = [];
  let output: unknown;
  let notes: Record<string, string> = {};
  const onCall = (call: JudgedCall): void => {
    options.onCall?.(call);
    notes = { ...notes, ...notesOf([call]) };
    if (isNoObject(call)) refused.push(refusedCall(call, toolbox));
    else calls.push(toolCallOf(call));
  };
  const reader = new ChunkReader(isForeign);
  const writer = new ChunkWriter((part) => reader.numberOf(part));
  const mender = new TurnMender(toolbox, { ...options, onCall });
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
  const dropped = ends.some((event) => event.type === 'turn.finished' && event.response.dropped !== undefined);
  const last = writer.write(mended(ends));
  const held = { content: '', additional_kwargs: {}, response_metadata: output === undefined ? {} : { output } };
  const { response_metadata: said } = rewriteCalls(held, calls, new Set());
  const response_metadata = marked(said, { refused, finish: reader.finish, notes, dropped });
  if (last.content.length + last.tool_call_chunks.length + Object.keys(response_metadata).length > 0)
    yield generation(new MendedChunk({ ...last, response_metadata }));
}

/** A chunk with other words and calls; a provider's own copy of its calls would tell of them as they came. */
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
