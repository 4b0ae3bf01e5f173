import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { areMentioned } from '../../dialect/call/check-call.ts';
import { readBody } from '../../execute/local-server.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { isObject, type JsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import { mendParts } from '../../mend/mend-call.ts';
import type { TurnError, TurnEvent, TurnFailed, TurnFinished, TurnResponse } from '../../model/index.ts';
import { isFailure, sniff } from '../../provider/client/read-response.ts';
import { parseBody } from '../../provider/wire/arguments.ts';
import { decodeStream } from '../../provider/wire/decode-stream.ts';
import { endedInError } from '../../provider/wire/errors.ts';
import { eventsOf } from '../../provider/wire/turn-assembler.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { reportOf, summaryOf } from '../observe/record-request.ts';
import { UnreadUsage } from '../observe/unread-usage.ts';
import type { TurnExchange } from '../request/exchange.ts';
import { forwardHeaders } from '../request/headers.ts';
import { beforeOf } from '../request/repair-history.ts';
import { isMalformed, replaceCalls } from '../stream/call-form.ts';
import { mendOthers } from './other-choices.ts';
import { retryInvalidCalls } from './retry-invalid-calls.ts';
import { respondWithStream, wantsList } from './stream.ts';
import { mendChoice, textCalls } from './text-calls.ts';
import { refusedBecause, sendRefusal } from './upstream-error.ts';
import { showsCall, withhold } from './withheld-calls.ts';

const defaultMaxAnswer = 64 * 1024 * 1024;

/**
 * Forwards a complete response, with its calls mended. An unreadable response is forwarded unchanged unless it may
 * contain a call, which could be truncated.
 */
export async function respondWithJson(exchange: TurnExchange, answer: IncomingMessage): Promise<void> {
  const { response, options, client, wire, toolbox, upstream, id, seen } = exchange;
  const bytes = await readBody(answer, options.maxResponse ?? defaultMaxAnswer);
  const began = performance.now();
  const status = answer.statusCode ?? 502;
  const value = jsonOf(bytes);
  if (client !== wire && isFailure(value)) {
    const error = { ...wire.readError(502, value), status: 502 };
    Object.assign(seen, { error: refusedBecause(exchange, status, error.message), errorKind: error.kind });
    sendRefusal(exchange, { statusCode: 502, headers: answer.headers }, { bytes, error });
    return;
  }
  const whole = value === undefined ? undefined : readAnswer(exchange, value);
  const streamed = !whole && isStream(wire, bytes);
  if (streamed && (client === wire || exchange.streams)) return respondWithStream(exchange, streamOf(answer, bytes));
  const ending = streamed ? lastEvent(exchange, bytes) : undefined;
  if (ending?.type === 'turn.failed') {
    sendRefusal(exchange, { statusCode: 502, headers: answer.headers }, { bytes, error: ending.error });
    return;
  }
  const read = ending?.response ?? whole;
  if (!read && seen.key !== undefined) {
    seen.unread = new UnreadUsage();
    seen.unread.feed(bytes);
  }
  const { dryRun = false } = options;
  const crossed = client !== wire;
  let found = read && textCalls(exchange, read);
  const judged =
    found && mendParts(found.response, { toolbox, policy: upstream.policy, dryRun, before: beforeOf(exchange) });
  const replaced =
    judged && judged.response.finish !== 'error' && (await retryInvalidCalls(exchange, judged.response, judged.calls));
  let mended = replaced ? { ...replaced, changed: true } : judged;
  if (read && mended && found?.dialect && areMentioned(mended.calls.map(({ outcome }) => outcome))) {
    // The text stays as it is. Only its usage may include retries.
    found = { response: read };
    const { usage } = mended.response;
    mended = { ...mended, response: replaced && usage ? { ...read, usage } : read, changed: Boolean(replaced) };
  }
  const passed = dryRun ? read : mended?.response;
  const told = passed && mended && (!dryRun || crossed) ? withhold(passed, mended.calls, client) : passed;
  if (told?.finish === 'error' && client.format !== wire.format) {
    const error = failureIn(wire, value);
    Object.assign(seen, { error: refusedBecause(exchange, status, error.message), errorKind: error.kind });
    sendRefusal(exchange, { statusCode: 502, headers: answer.headers }, { bytes, error });
    return;
  }
  const others = told && !dryRun && !crossed ? mendOthers(told, wire, (read) => mendChoice(exchange, read)) : undefined;
  const sound = others?.response ?? told;
  const calls = [...(mended?.calls ?? []), ...(others?.calls ?? [])];
  const isOdd = read !== undefined && !crossed && [value].flat().some((one) => isMalformed(wire.format, one));
  const isOther = sound !== passed || (!dryRun && (found?.response !== read || Boolean(read?.ignored) || isOdd));
  // Rewriting the complete response costs as much as mending its calls.
  const edited =
    judged?.changed && mended === judged && !isOther && !crossed && replaceCalls(wire.format, value, judged.calls);
  const written =
    sound && !edited && (mended?.changed || isOther || crossed) ? client.writeResponse(sound).wire : undefined;
  const asList = crossed ? exchange.streams && wantsList(exchange) : isList(bytes);
  const body = edited ? value : written && asList ? [written] : written;
  const lost = !read && (crossed || (!dryRun && showsCall(bytes.toString('utf8'))));
  const framing = crossed && exchange.streams && sound && !wantsList(exchange) ? client.framing : undefined;
  const headers = framing
    ? { 'content-type': types[framing] }
    : crossed || lost
      ? { 'content-type': 'application/json' }
      : forwardHeaders(answer.headers);
  // Text is sent together with the headers, as one piece.
  const sent =
    framing && sound ? framesOf(client, sound) : body ? stringifyJson(body) : lost ? unreadable(client) : bytes;
  response.writeHead(lost ? 502 : status, {
    ...headers,
    'content-length': Buffer.byteLength(sent),
    'x-toolmend-id': id,
    ...(calls.length > 0 && { 'x-toolmend-calls': summaryOf(calls) }),
  });
  response.end(sent);
  const own = seen.own + performance.now() - began;
  Object.assign(seen, { response: found?.response, calls, own, ...(lost && { errorKind: 'protocol' }) });
  if (found?.dialect) exchange.learn();
  if (calls.length > 0) options.onResponse?.(reportOf(exchange, calls, false, found?.dialect));
}

function jsonOf(bytes: Buffer): JsonValue | undefined {
  try {
    return parseBody(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function readAnswer({ wire, undo }: TurnExchange, body: JsonValue): TurnResponse | undefined {
  try {
    const response = Array.isArray(body) ? readFrames(wire, body) : wire.readResponse(body as JsonObject);
    const undone = undo?.({ type: 'turn.finished', response });
    return undone?.type === 'turn.finished' ? undone.response : response;
  } catch {
    return undefined;
  }
}

/** The error with which a response ended. Some servers add it to the choice of the Chat API. */
function failureIn(wire: Provider, body: JsonValue | undefined): TurnError {
  const [choice] = isObject(body) && Array.isArray(body.choices) ? body.choices : [];
  return isObject(choice) && choice.error ? wire.readError(502, choice) : endedInError;
}

/** Gemini streams a JSON list of frames if the request doesn't ask for SSE. */
function readFrames(wire: Provider, frames: readonly JsonValue[]): TurnResponse {
  let read: TurnResponse | undefined;
  const reader = wire.readStream((event) => {
    if (event.type === 'turn.finished') read = event.response;
  });
  for (const frame of frames) reader.frame(frame);
  reader.end();
  if (!read) throw new ToolmendError('invalid_body', 'the response did not end');
  return read;
}

/** Detects a stream by its first bytes, because servers send wrong content types. */
function isStream({ framing }: Provider, bytes: Buffer): boolean {
  return (
    sniff(framing, bytes, true) === 'stream' && (framing === 'sse' || bytes.toString('utf8').trim().includes('\n'))
  );
}

const streamOf = ({ statusCode, headers }: IncomingMessage, bytes: Buffer): IncomingMessage =>
  Object.assign(Readable.from([bytes], { objectMode: false }), { statusCode, headers }) as unknown as IncomingMessage;

const isList = (bytes: Buffer): boolean => /^\s*\[/.test(bytes.toString('latin1', 0, 64));

const unreadable = (client: Provider): string =>
  JSON.stringify(
    client.writeError({
      kind: 'protocol',
      message: "The upstream's response can't be read",
      retryable: true,
      status: 502,
    }),
  );

const types = { sse: 'text/event-stream', ndjson: 'application/x-ndjson' } as const;

/** A complete response as a stream. */
function framesOf(client: Provider, response: TurnResponse): string {
  const writer = client.writeStream();
  return [...eventsOf(response)].map((event) => writer.write(event)).join('');
}

/** The last event of a stream that arrived for a client that didn't ask for one. */
function lastEvent({ wire, undo }: TurnExchange, bytes: Buffer): TurnFinished | TurnFailed | undefined {
  let last: TurnEvent | undefined;
  const decoder = decodeStream(wire, (event) => {
    last = event;
  });
  decoder.feed(bytes);
  decoder.end();
  const event = last && (undo?.(last) ?? last);
  return event?.type === 'turn.finished' || event?.type === 'turn.failed' ? event : undefined;
}

/** Sends a response that was built here, as a stream if the client requested one. */
export function sendResponse(exchange: TurnExchange, answer: TurnResponse): void {
  const { client, response, options, id, streams: streamed, toolbox, upstream } = exchange;
  const { dryRun = false } = options;
  const { response: judged, calls } = mendParts(answer, {
    toolbox,
    policy: upstream.policy,
    dryRun,
    before: beforeOf(exchange),
  });
  const mended = withhold(judged, calls, client);
  const text = streamed ? framesOf(client, mended) : stringifyJson(client.writeResponse(mended).wire);
  response.writeHead(200, {
    'content-type': streamed ? types[client.framing] : 'application/json',
    'x-toolmend-id': id,
    ...(!streamed && { 'x-toolmend-calls': summaryOf(calls) }),
  });
  response.end(text);
  options.onResponse?.(reportOf(exchange, calls, streamed));
}
