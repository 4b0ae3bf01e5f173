import type { Schema } from '../../schema/schema.ts';
import { mendOutputText, OutputStream, outputSchema } from '../output-text.ts';
import { finishOf } from './finish-reason.ts';
import type { CallOptions, GenerateResult, StreamPart, StreamPartOf } from './options.ts';

/** The schema of a request for structured output; undefined if it has none. */
export function requestedSchema({ responseFormat }: CallOptions): Schema | undefined {
  const { schema } = responseFormat?.type === 'json' ? responseFormat : {};
  return typeof schema === 'object' && schema !== null ? outputSchema(schema) : undefined;
}

/** Mends the text of a complete response. A response with calls isn't the output yet. */
export function mendOutput(result: GenerateResult, schema: Schema): GenerateResult {
  const { content, finishReason } = result;
  const texts = content.filter(({ type }) => type === 'text');
  if (texts.length !== 1 || content.some(({ type }) => type === 'tool-call')) return result;
  return {
    ...result,
    content: content.map((part) =>
      part.type === 'text' ? { ...part, text: mendOutputText(part.text, schema, finishOf(finishReason)).text } : part,
    ),
  };
}

/**
 * Mends the text of a streamed response. The end of a text waits for the finish reason, which says whether it is
 * complete.
 */
export function mendingOutput(schema: Schema): TransformStream<StreamPart, StreamPart> {
  let open: { readonly id: string; readonly output: OutputStream } | undefined;
  let waiting: StreamPart[] = [];
  const delta = (id: string, text: string): StreamPart[] =>
    text === '' ? [] : [{ type: 'text-delta', id, delta: text }];
  const ended = (finish?: StreamPartOf<'finish'>): StreamPart[] => {
    const rest = open ? delta(open.id, open.output.end(finish && finishOf(finish.finishReason))) : [];
    const parts = [...rest, ...waiting];
    open = undefined;
    waiting = [];
    return parts;
  };
  const take = (part: StreamPart): StreamPart[] => {
    if (part.type === 'finish') return [...ended(part), part];
    if (part.type === 'text-start') {
      const before = ended();
      open = { id: part.id, output: new OutputStream(schema) };
      return [...before, part];
    }
    if (part.type === 'text-delta' && part.id === open?.id && waiting.length === 0)
      return delta(part.id, open.output.push(part.delta));
    if (waiting.length === 0 && !(part.type === 'text-end' && part.id === open?.id)) return [part];
    waiting.push(part);
    return [];
  };
  return new TransformStream({
    transform: (part, controller) => {
      for (const one of take(part)) controller.enqueue(one);
    },
    flush: (controller) => {
      for (const one of ended()) controller.enqueue(one);
    },
  });
}
