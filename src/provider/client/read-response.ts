import { isObject, type JsonValue } from '../../json/value.ts';
import type { TurnError, TurnEvent } from '../../model/index.ts';
import { parseBody } from '../wire/arguments.ts';
import { decodeStream } from '../wire/decode-stream.ts';
import { failedTurn, protocolError, WireError } from '../wire/errors.ts';
import { eventsOf } from '../wire/turn-assembler.ts';
import type { Provider } from '../wire/types.ts';
import { deepest, isTooDeep } from '../wire/validate.ts';
import { excerpt } from './endpoint.ts';

/** What is needed to read a response body. */
interface Reading {
  readonly provider: Provider;
  readonly status: number;
  /** The next chunk; undefined at the end. Throws if the connection breaks. */
  next(): Promise<Uint8Array | undefined>;
  /** Turns a connection failure into an error. */
  broken(thrown: unknown): TurnError;
}

/** Reads a response body, streamed or complete, and yields its events as they arrive. */
export async function* readResponseEvents(reading: Reading): AsyncGenerator<TurnEvent> {
  const { provider, next, broken } = reading;
  let head = new Uint8Array(0);
  let kind: BodyKind | undefined;
  try {
    for (let ended = false; kind === undefined && !ended; ) {
      const chunk = await next();
      ended = chunk === undefined;
      if (chunk) head = joined([head, chunk]);
      kind = sniff(provider.framing, head, ended);
    }
  } catch (thrown) {
    yield failedTurn(broken(thrown));
    return;
  }
  if (kind === 'stream') yield* readStream(reading, head);
  else yield* readWhole(reading, head, kind ?? 'other');
}

async function* readStream({ provider, next, broken }: Reading, head: Uint8Array): AsyncGenerator<TurnEvent> {
  let events: TurnEvent[] = [];
  const decoder = decodeStream(provider, (event) => events.push(event));
  const taken = (): TurnEvent[] => {
    const all = events;
    events = [];
    return all;
  };
  let chunk: Uint8Array | undefined = head;
  while (chunk) {
    decoder.feed(chunk);
    for (const event of taken()) {
      yield event;
      if (isEnd(event)) return;
    }
    try {
      chunk = await next();
    } catch (thrown) {
      decoder.end(broken(thrown));
      yield* taken();
      return;
    }
  }
  decoder.end();
  yield* taken();
}

const isEnd = ({ type }: TurnEvent): boolean => type === 'turn.finished' || type === 'turn.failed';

/** Maximum size of a response that isn't streamed. */
const most = 64_000_000;

async function* readWhole(
  reading: Reading,
  head: Uint8Array,
  kind: Exclude<BodyKind, 'stream'>,
): AsyncGenerator<TurnEvent> {
  const { next, broken, status } = reading;
  const chunks = [head];
  let size = head.length;
  try {
    // The start is enough to describe a body that isn't a response.
    const limit = kind === 'whole' ? most : 64_000;
    for (let chunk = await next(); chunk && size < limit; chunk = await next()) {
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (thrown) {
    yield failedTurn(broken(thrown));
    return;
  }
  const text = new TextDecoder().decode(joined(chunks));
  if (kind !== 'whole') yield failedTurn(noAnswer(kind, status, text));
  else if (size >= most) yield failedTurn(protocolError(`The response is longer than ${most} bytes`));
  else yield* eventsIn(reading, text);
}

/** Yields the events of a JSON body: a response, an error, or an array of stream frames. */
function* eventsIn({ provider, status }: Reading, text: string): Generator<TurnEvent> {
  const body = parsed(text);
  if (body === undefined) {
    yield failedTurn(
      protocolError(`The server responded with status ${status} and invalid or truncated JSON: ${excerpt(text)}`),
    );
  } else if (isTooDeep(body)) {
    yield failedTurn(
      protocolError(`The server responded with status ${status} and JSON nested deeper than ${deepest} levels`),
    );
  } else if (Array.isArray(body)) {
    const events: TurnEvent[] = [];
    const reader = provider.readStream((event) => events.push(event));
    for (const frame of body) reader.frame(frame);
    reader.end();
    yield* events;
  } else if (isFailure(body)) yield failedTurn(provider.readError(status, body));
  else yield* wholeEvents(provider, body);
}

/** Whether a body with the status of a success reports an error, or a response that failed or was cancelled. */
export const isFailure = (body: JsonValue | undefined): boolean =>
  isObject(body) &&
  (body.error ? !body.id || body.status === 'failed' : body.object === 'response' && isLost(body.status));

const isLost = (status: unknown): boolean => status === 'failed' || status === 'cancelled';

function* wholeEvents(provider: Provider, body: JsonValue): Generator<TurnEvent> {
  try {
    yield* eventsOf(provider.readResponse(body));
  } catch (thrown) {
    if (!(thrown instanceof WireError)) throw thrown;
    yield failedTurn(protocolError(`The response violates the API format: ${thrown.message}`));
  }
}

const wrong: Readonly<Record<Exclude<BodyKind, 'stream' | 'whole'>, string>> = {
  html: 'a web page; is baseURL right?',
  compressed: 'compressed bytes without a content-encoding header; a proxy in between may be at fault',
  other: 'something that is not a response',
};

function noAnswer(kind: Exclude<BodyKind, 'stream' | 'whole'>, status: number, text: string): TurnError {
  if (text.trim() === '')
    return { ...protocolError(`The server responded with status ${status} and an empty body`), retryable: true };
  const quoted = kind === 'compressed' ? '' : ` ${excerpt(text)}`;
  return protocolError(`The server responded with status ${status} and ${wrong[kind]}${quoted}`);
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseBody(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** The kind of a body, detected from its first bytes because servers send wrong content types. */
type BodyKind = 'stream' | 'whole' | 'html' | 'compressed' | 'other';

const enough = 8;

/**
 * Detects the kind of a body.
 *
 * @param head the first bytes
 * @param ended whether these are all the bytes
 * @returns undefined if more bytes are needed
 */
export function sniff(framing: Provider['framing'], head: Uint8Array, ended: boolean): BodyKind | undefined {
  if (head[0] === 0x1f && (head[1] ?? 0x8b) === 0x8b) return 'compressed';
  const text = new TextDecoder().decode(head.subarray(0, 2000)).trimStart();
  if (text.length < enough && !ended) return undefined;
  if (text.startsWith('<')) return 'html';
  if (/^[[{]/.test(text)) return framing === 'ndjson' && text.startsWith('{') ? 'stream' : 'whole';
  return framing === 'sse' && /^(?:data|event|id|retry)\s*:|^:/.test(text) ? 'stream' : 'other';
}
