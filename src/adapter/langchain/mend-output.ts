import { AIMessage, AIMessageChunk, type MessageContent } from '@langchain/core/messages';
import { ChatGenerationChunk } from '@langchain/core/outputs';
import { isObject } from '../../json/value.ts';
import type { FinishReason } from '../../model/index.ts';
import type { Schema } from '../../schema/schema.ts';
import { mendOutputText, OutputStream } from '../output-text.ts';
import { finishOfMessage, type ModelMessage } from './message-fields.ts';

/** The schema in a request's options, wherever the provider package expects it: that of an agent's `providerStrategy`. */
export function requestedSchema(options: Record<string, unknown>): object | undefined {
  const { response_format: chat, outputConfig: anthropic, responseSchema, format } = options;
  const places = [
    isObject(chat) && isObject(chat.json_schema) ? chat.json_schema.schema : undefined,
    isObject(anthropic) && isObject(anthropic.format) ? anthropic.format.schema : undefined,
    responseSchema,
    format,
  ];
  return places.find((place) => typeof place === 'object' && place !== null) as object | undefined;
}

/** The schema that `withStructuredOutput` got: itself, or in a definition with a name. */
export function schemaIn(given: object): object {
  const { schema, parameters } = given as Record<string, unknown>;
  const isPlain = '~standard' in given || 'safeParse' in given || 'properties' in given || '$ref' in given;
  const inner = [schema, parameters].find(isObject);
  return isPlain || !inner ? given : inner;
}

/** LangChain's parser also searches the strings of a JSON text for code fences, and would read only their content. */
const withoutFences = (json: string): string => json.replaceAll('`', '\\u0060');

/** Mends the text of a complete response. A response with calls isn't the output yet. */
export function mendOutput(message: ModelMessage, schema: Schema): ModelMessage {
  if (hasCalls(message)) return message;
  const { text: mended, out } = mendOutputText(message.text, schema, finishOfMessage(message, false));
  const text = out.status === 'invalid' ? mended : withoutFences(mended);
  if (text === message.text) return message;
  return new AIMessage({ ...fieldsOf(message), content: withText(message.content, text) });
}

/** Mends the text of a streamed response. The rest follows in a last chunk, when the finish reason is known. */
export async function* mendOutputChunks(
  chunks: AsyncIterable<ChatGenerationChunk>,
  schema: Schema,
): AsyncGenerator<ChatGenerationChunk> {
  const output = new OutputStream(schema, withoutFences);
  let called = false;
  let finish: FinishReason | undefined;
  for await (const chunk of chunks) {
    const message = chunk.message as AIMessageChunk;
    const { generationInfo = {}, text } = chunk;
    const ended = new AIMessage({
      content: '',
      response_metadata: { ...generationInfo, ...message.response_metadata },
    });
    const now = finishOfMessage(ended, false);
    if (finish === undefined || (now !== 'other' && finish !== 'length')) finish = now;
    called ||= hasCalls(message) || (message.tool_call_chunks ?? []).length > 0;
    const sent = text === '' || called ? text : output.push(text);
    yield sent === text ? chunk : chunkOf(chunk, sent);
  }
  const rest = output.end(finish);
  if (rest !== '') yield new ChatGenerationChunk({ text: rest, message: new AIMessageChunk({ content: rest }) });
}

const hasCalls = ({ tool_calls: read = [], invalid_tool_calls: unread = [] }: ModelMessage): boolean =>
  read.length + unread.length > 0;

const chunkOf = ({ message, generationInfo = {} }: ChatGenerationChunk, text: string): ChatGenerationChunk =>
  new ChatGenerationChunk({
    text,
    generationInfo,
    message: new AIMessageChunk({
      ...fieldsOf(message as AIMessageChunk),
      content: withText(message.content, text),
    }),
  });

function fieldsOf({ id, name, additional_kwargs, response_metadata, usage_metadata }: ModelMessage) {
  // The client's own parsed copy is that of the text before.
  const { parsed: _, ...more } = additional_kwargs;
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(usage_metadata !== undefined && { usage_metadata }),
    additional_kwargs: more,
    response_metadata,
  };
}

/** The content with another text, which replaces the first text block. */
function withText(content: MessageContent, text: string): MessageContent {
  if (typeof content === 'string') return text;
  let left = text;
  return content.flatMap((block) => {
    if (block.type !== 'text') return [block];
    const now = left;
    left = '';
    return now === '' ? [] : [{ ...block, text: now }];
  });
}
