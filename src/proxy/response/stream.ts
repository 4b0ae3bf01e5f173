import type { IncomingMessage, ServerResponse } from 'node:http';
import { mayContainCalls } from '../../dialect/read-calls.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Outcome } from '../../mend/outcome.ts';
import type { Format, TurnError } from '../../model/index.ts';
import { rescueCall } from '../../provider/client/rescue-call.ts';
import type { Provider } from '../../provider/wire/types.ts';
import { rawCallText } from '../../provider/wire/unparsed-call.ts';
import { reportOf, summaryOf, timed } from '../observe/record-request.ts';
import type { TurnExchange } from '../request/exchange.ts';
import { forwardHeaders } from '../request/headers.ts';
import { beforeOf } from '../request/repair-history.ts';
import { ArrayFrames, ArrayWriter } from '../stream/json-array.ts';
import { mayHaveOthers, type SseFrame, SseFrames } from '../stream/sse-frames.ts';
import { StreamMender } from '../stream/stream-mender.ts';
import { eachChunk } from '../upstream/http.ts';
import { OtherChoices } from './other-choices.ts';
import { holdsCalls, retryInvalidCalls } from './retry-invalid-calls.ts';

const maxFrame = 16 * 1024 * 1024;
const lineFeed = 0x0a;
const defaultKeepAlive = 10_000;
const types = {
  sse: { type: 'text/event-stream', marked: /event-stream/ },
  ndjson: { type: 'application/x-ndjson', marked: /json/ },
} as const;

/**
 * Forwards a stream, and mends its calls.
 *
 * @param isList whether the stream is one JSON list
 */
export async function respondWithStream(
  exchange: TurnExchange,
  answer: IncomingMessage,
  isList = false,
): Promise<void> {
  const { response, options, client, wire, toolbox, upstream, undo, id, seen, left } = exchange;
  const crossed = client !== wire;
  const list = wantsList(exchange) ? new ArrayWriter() : undefined;
  const isMarked = types[client.framing].marked.test(String(answer.headers['content-type']));
  const headers = {
    ...(crossed ? { 'cache-control': 'no-cache' } : forwardHeaders(answer.headers)),
    ...((crossed || list || !isMarked) && { 'content-type': list ? 'application/json' : types[client.framing].type }),
  };
  response.writeHead(answer.statusCode ?? 502, { ...headers, 'x-toolmend-id': id });

  const { dryRun = false, streamArguments = false } = options;
  const { reads, question, allows } = exchange;
  const mending = {
    upstream: wire,
    client,
    toolbox,
    policy: upstream.policy,
    dryRun,
    undo,
    reads,
    streamArguments,
    before: beforeOf(exchange),
    mayCall: (calls: readonly Outcome[]) => mayContainCalls(question()) && calls.every(({ name }) => allows(name)),
  };
  const mender = new StreamMender({
    ...mending,
    rescue: (ended) => (rawCallText(ended) === undefined ? undefined : rescueCall(ended, question(), allows)),
    hold: (options.retries ?? 0) > 0 && !dryRun && toolbox.size > 0 && holdsCalls(exchange),
  });
  const frames = isList ? new ArrayFrames(maxFrame) : new SseFrames(wire.framing, maxFrame);
  let choices: OtherChoices | undefined;
  const take = (came: readonly SseFrame[]): Buffer[] => {
    if (!choices && !crossed && !dryRun && came.some(mayHaveOthers))
      choices = new OtherChoices(wire, mender, () => new StreamMender(mending));
    return (choices ?? mender).takeAll(came);
  };
  const send = sender(response, list);
  const { keepAlive = defaultKeepAlive } = options;
  let breath: NodeJS.Timeout | undefined;
  // Most responses never wait long enough to need a timer.
  const breathe = (): void => {
    if (!breath && (mender.buffers || choices?.buffers)) breath = setInterval(keepsAlive, keepAlive).unref();
  };
  const keepsAlive = (): void => {
    // Two clocks may differ by a millisecond, so the idle time isn't compared with the interval itself.
    if ((mender.buffers || choices?.buffers) && send.idle() > keepAlive / 2)
      send.pieces([keepAlives[client.format](exchange.model)]);
  };
  let broken: TurnError | undefined;
  try {
    await eachChunk(answer, (chunk) => {
      const sent = send.pieces(timed(seen, () => take(frames.feed(chunk))));
      if (mender.begun) seen.firstToken ??= performance.now() - seen.began;
      breathe();
      if (frames.tooLong) throw new ToolmendError('too_large', `a frame is longer than ${maxFrame} bytes`);
      return sent;
    });
    await send.pieces(take(frames.rest()));
  } catch (error) {
    broken = brokenBy(error);
  }
  const last = (choices ?? mender).end(broken);
  await send.pieces(last.some(({ length }) => length > 0) && send.midLine() ? [lineBreak, ...last] : last);
  broken ??= mender.broken;
  if (mender.held && mender.ending) {
    const { response: answered } = mender.ending;
    breathe();
    await send.pieces(mender.release(await retryInvalidCalls(exchange, answered, mender.calls)));
  }
  clearInterval(breath);
  const calls = [...mender.calls, ...(choices?.calls ?? [])];
  Object.assign(seen, {
    streamed: true,
    calls,
    response: mender.ending?.response,
    ...(broken && !left.aborted && { error: broken.message, errorKind: broken.kind }),
  });
  const isReported = calls.length > 0 && comments(client) && !dryRun;
  const comment = isReported ? `${send.midLine() ? '\n\n' : ''}: toolmend ${id} ${summaryOf(calls)}\n\n` : undefined;
  response.end(list ? Buffer.concat(list.end()) : comment);
  if (mender.dialect) exchange.learn();
  if (broken && !left.aborted) options.onError?.(broken.message);
  if (calls.length > 0) options.onResponse?.(reportOf(exchange, calls, true, mender.dialect));
}

/** Whether a client's streams may have comments. `@google/genai` before 2.0 fails on them. */
const comments = ({ framing, format }: Provider): boolean => framing === 'sse' && format !== 'gemini';

/** A message without content that keeps the connection alive. */
const keepAlives: Readonly<Record<Format, (model: string) => Buffer>> = {
  'openai-chat': () => stillHere,
  'openai-responses': () => stillHere,
  anthropic: () => Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
  gemini: () =>
    Buffer.from('data: {"candidates":[{"content":{"role":"model","parts":[{"text":""}]},"index":0}]}\r\n\r\n'),
  ollama: (model) => {
    const message = { role: 'assistant', content: '' };
    return Buffer.from(`${JSON.stringify({ model, created_at: new Date().toISOString(), message, done: false })}\n`);
  },
};

interface Sender {
  /** Whether the last line sent is incomplete. */
  midLine(): boolean;
  /** Milliseconds since something was sent. */
  idle(): number;
  /** Writes bytes, and returns a promise if the reader is slow. */
  pieces(pieces: readonly Buffer[]): Promise<void> | undefined;
}

/** Whether a client of the Gemini API expects a JSON list instead of events. */
export const wantsList = ({ client, request: { url = '' } }: TurnExchange): boolean =>
  client.format === 'gemini' && !/[?&]alt=sse(?:&|$)/.test(url);

function sender(response: ServerResponse, list?: ArrayWriter): Sender {
  let last = performance.now();
  let end = lineFeed;
  // Headers are sent with the first chunk, or immediately after this tick if there is none.
  const head = setImmediate(() => response.flushHeaders());
  const pieces = (events: readonly Buffer[]): Promise<void> | undefined => {
    const all = list ? list.take(events) : events;
    const bytes = all.length === 1 ? (all[0] as Buffer) : Buffer.concat(all);
    if (bytes.length === 0 || response.destroyed) return undefined;
    clearImmediate(head);
    last = performance.now();
    end = bytes.at(-1) as number;
    return response.write(bytes) ? undefined : drained(response);
  };
  return { pieces, idle: () => performance.now() - last, midLine: () => end !== lineFeed };
}

/** Resolves when the client has read everything, or disconnected. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

const stillHere = Buffer.from(': still here\n\n');
const lineBreak = Buffer.from('\n\n');

const brokenBy = (error: unknown): TurnError => ({
  kind: 'network',
  message: `The upstream connection broke: ${error instanceof Error ? error.message : String(error)}`,
  retryable: true,
});
