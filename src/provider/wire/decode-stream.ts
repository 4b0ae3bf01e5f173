import { createParser } from 'eventsource-parser';
import type { JsonValue } from '../../json/value.ts';
import type { TurnError, TurnEvent } from '../../model/index.ts';
import { protocolError } from './errors.ts';
import type { Provider, StreamReader } from './types.ts';
import { deepest, isTooDeep, mayBeTooDeep } from './validate.ts';

/** Settings of a decoder. */
export interface DecodeOptions {
  /** The most characters one frame may have; 16 million unless it is said. */
  readonly maxFrame?: number;
}

/** Takes the bytes of one answer as they come. */
export interface StreamDecoder {
  /** Bytes, cut anywhere, or text. */
  feed(chunk: Uint8Array | string): void;
  /** No more will come; `error` where that was not meant to be. */
  end(error?: TurnError): void;
}

const defaultMaxFrame = 16_000_000;

/**
 * Turns the bytes of a provider's stream into the middle shape's events, each as soon as its frame is whole.
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
  const reader = provider.readStream(emit);
  const utf8 = new TextDecoder();
  const tooLong = (): void => reader.end(protocolError(`A frame of the stream is longer than ${maxFrame} characters`));
  // A splitter bounds what it holds; a frame that came in one piece was never held.
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
  /** What stands after the last line's end is a frame as well, where the other side left the end out. */
  rest(): void;
}

function sse(take: TakeFrame, maxBufferSize: number, tooLong: () => void): Splitter {
  let broken = false;
  const parser = createParser({
    maxBufferSize,
    onEvent: ({ data, event }) => take(data, event),
    onError: ({ type }) => {
      if (type !== 'max-buffer-size-exceeded') return;
      // The parser has ended itself, and would throw from now on.
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
    // A byte order mark counts as a space.
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
  if (value === undefined) reader.end(protocolError(`A frame of the stream is no JSON: ${data.slice(0, 200)}`));
  else if (mayBeTooDeep(data) && isTooDeep(value))
    reader.end(protocolError(`A frame of the stream is nested deeper than ${deepest} levels`));
  else reader.frame(value, name);
}

/** The end mark, and frames that keep a connection alive by saying nothing. */
function isMark(reader: StreamReader, data: string): boolean {
  if (data === '[DONE]') reader.done();
  return data === '[DONE]' || data === '';
}

function parse(data: string): JsonValue | undefined {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
