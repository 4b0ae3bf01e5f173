import { createParser } from 'eventsource-parser';
import { checkArgument, type JsonValue } from '../../json/value.ts';
import type { TurnError, TurnEvent } from '../../model/index.ts';
import { parseBody } from './arguments.ts';
import { protocolError } from './errors.ts';
import type { Provider, StreamReader } from './types.ts';
import { deepest, isTooDeep, mayBeTooDeep } from './validate.ts';

/** Options of a decoder. */
export interface DecodeOptions {
  /**
   * Maximum number of characters in a frame.
   * @default 16_000_000
   */
  readonly maxFrame?: number;
}

/** Decodes the bytes of a response as they arrive. */
export interface StreamDecoder {
  /** Adds bytes, split anywhere, or text. */
  feed(chunk: Uint8Array | string): void;
  /** Ends the stream, with an error if it broke off. */
  end(error?: TurnError): void;
}

const defaultMaxFrame = 16_000_000;

/**
 * Decodes a provider's stream to events, each as soon as its frame is complete.
 *
 * @example
 * const decoder = decodeStream(openaiChat, (event) => console.log(event));
 * for await (const chunk of response.body) decoder.feed(chunk);
 * decoder.end();
 */
export function decodeStream(
  provider: Provider,
  emit: (event: TurnEvent) => void,
  { maxFrame = defaultMaxFrame }: DecodeOptions = {},
): StreamDecoder {
  checkArgument(typeof provider?.readStream === 'function', 'provider', 'an API format such as openaiChat', provider);
  checkArgument(typeof emit === 'function', 'emit', 'a function', emit);
  const reader = provider.readStream(emit);
  const utf8 = new TextDecoder();
  const tooLong = (): void => reader.end(protocolError(`A frame of the stream is longer than ${maxFrame} characters`));
  // The splitter limits what it buffers, but a frame that arrives in one chunk is never buffered.
  const take: TakeFrame = (data, name) => (data.length > maxFrame ? tooLong() : frame(reader, data, name));
  const split = (provider.framing === 'sse' ? sse : ndjson)(take, maxFrame, tooLong);
  return {
    feed: (chunk) => split.feed(typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true })),
    end(error) {
      split.feed(utf8.decode());
      if (!error) split.rest();
      reader.end(error);
    },
  };
}

type TakeFrame = (data: string, name?: string) => void;

interface Splitter {
  feed(text: string): void;
  /** Emits the rest as a frame if the final line break is missing. */
  rest(): void;
}

function sse(take: TakeFrame, maxBufferSize: number, tooLong: () => void): Splitter {
  let broken = false;
  const parser = createParser({
    maxBufferSize,
    onEvent: ({ data, event }) => take(data, event),
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return;
      // The parser has terminated and would throw from now on.
      broken = true;
      tooLong();
    },
  });
  const feed = (text: string): void => {
    if (!broken && text !== '') parser.feed(text);
  };
  return { feed, rest: () => feed('\n\n') };
}

function ndjson(take: TakeFrame, maxFrame: number, tooLong: () => void): Splitter {
  let held = '';
  const line = (text: string): void => {
    // `trim` also removes a byte order mark.
    const trimmed = text.trim();
    if (trimmed !== '') take(trimmed);
  };
  return {
    feed(text) {
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        line(held + text.slice(from, at));
        held = '';
        from = at + 1;
      }
      held += text.slice(from);
      if (held.length > maxFrame) {
        held = '';
        tooLong();
      }
    },
    rest() {
      line(held);
      held = '';
    },
  };
}

function frame(reader: StreamReader, data: string, name?: string): void {
  if (data.length < 20 && isMark(reader, data.trim())) return;
  const value = parse(data);
  if (value === undefined) reader.end(protocolError(`A frame of the stream is not valid JSON: ${data.slice(0, 200)}`));
  else if (mayBeTooDeep(data) && isTooDeep(value))
    reader.end(protocolError(`A frame of the stream is nested deeper than ${deepest} levels`));
  else reader.frame(value, name);
}

/** Whether a frame is the end marker or an empty keep-alive. */
function isMark(reader: StreamReader, data: string): boolean {
  if (data === '[DONE]') reader.done();
  return data === '[DONE]' || data === '';
}

function parse(data: string): JsonValue | undefined {
  try {
    return parseBody(data);
  } catch {
    return undefined;
  }
}
