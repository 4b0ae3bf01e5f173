import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { contextOf } from '../../dialect/echo/context.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { feedback } from '../../mend/feedback/feedback.ts';
import { allowsTextCalls } from '../../mend/finish-reason.ts';
import { type Before, type CheckedCall, isBadCall, mendCall } from '../../mend/mend-call.ts';
import type {
  AssistantPart,
  CallPart,
  Format,
  Message,
  ResultPart,
  TurnEvent,
  TurnResponse,
  Usage,
} from '../../model/index.ts';
import { readResponseEvents } from '../../provider/client/read-response.ts';
import { repairArguments } from '../../provider/compat/repair-arguments.ts';
import { callsIn } from '../../provider/text-calls/text-calls.ts';
import { textRequest } from '../../provider/text-calls/text-prompt.ts';
import type { Provider } from '../../provider/wire/types.ts';
import type { TurnExchange } from '../request/exchange.ts';
import { exactJson, exactJsonOf } from '../upstream/http.ts';
import { textCalls } from './text-calls.ts';
import { hasOpenOpaque } from './withheld-calls.ts';

/** A response whose bad calls were retried, with its calls and the total usage. */
export interface Replaced {
  readonly response: TurnResponse;
  readonly calls: readonly CheckedCall[];
}

const defaults = { time: 30_000, tokens: 8192 } as const;

/**
 * Sends calls that can't be mended back to the model with feedback, and returns the response with its new calls. If
 * that doesn't help, returns the original response with the total usage. Returns undefined if a retry isn't possible:
 * signed or stored content must not differ from what the client has.
 *
 * @param calls the checked calls of the response, in order
 */
export async function retryInvalidCalls(
  exchange: TurnExchange,
  response: TurnResponse,
  calls: readonly CheckedCall[],
): Promise<Replaced | undefined> {
  const { options, sent, left, wire, toolbox, upstream } = exchange;
  const bad = calls.filter((call) => isBadCall(call, toolbox));
  const { time = defaults.time, tokens = defaults.tokens } = options.retryLimits ?? {};
  if (!mayRetry(exchange, response, bad)) return undefined;
  const signal = AbortSignal.any([left, AbortSignal.timeout(time)]);
  let body = exactJsonOf(sent) as JsonObject;
  let told = bad;
  let { usage } = response;
  for (let tries = 1; tries <= (options.retries ?? 0); tries += 1) {
    const again = feedbackMessages(told, tries, exchange);
    body = withMessages(wire, body, again.written);
    const next = await askAgain(exchange, body, signal);
    if (!next) break;
    usage = sumOf(usage, next.usage);
    if (isSealed(next) || !allowsTextCalls(next.finish)) break;
    const found = callsIn(textCalls(exchange, next).response);
    const judged = found.map((part, at) =>
      mendCall(part, toolbox, upstream.policy, at === found.length - 1 ? next.finish : undefined, again.before),
    );
    if (areReplacements(bad, judged)) return replaced(response, calls, bad, judged, usage, tries);
    told = judged.filter((call) => isBadCall(call, toolbox));
    const spent = (usage?.output ?? 0) - (response.usage?.output ?? 0);
    if (told.length === 0 || told.length !== judged.length || spent >= tokens) break;
  }
  return usage === response.usage ? undefined : replaced(response, calls, bad, [], usage, 0);
}

/** Whether a bad response can be retried. */
function mayRetry(exchange: TurnExchange, response: TurnResponse, bad: readonly CheckedCall[]): boolean {
  const { options, toolbox } = exchange;
  const { retries = 0, dryRun = false } = options;
  // Calls can only be checked if their tools are known.
  if (retries <= 0 || dryRun || bad.length === 0 || toolbox.size === 0 || isSealed(response)) return false;
  // A filter ended it, which the client must learn.
  if (response.finish === 'filter' || response.finish === 'other') return false;
  // Whether free text is complete depends on the finish reason, which a retry replaces.
  if (hasOpenOpaque(response)) return false;
  return !keepsState(exchange, JSON.parse(exchange.sent.toString('utf8')));
}

const isSealed = ({ message }: TurnResponse): boolean =>
  message.parts.some((part) => 'signature' in part && part.signature !== undefined);

/** A bad call is only replaced by a valid call of the same tool, or of any tool if it was unknown. */
const areReplacements = (bad: readonly CheckedCall[], judged: readonly CheckedCall[]): boolean =>
  judged.length === bad.length &&
  judged.every(({ outcome }, at) => {
    const before = bad[at]?.outcome;
    return outcome.status !== 'invalid' && (before?.tool === undefined || before.tool.name === outcome.name);
  });

function replaced(
  response: TurnResponse,
  calls: readonly CheckedCall[],
  bad: readonly CheckedCall[],
  found: readonly CheckedCall[],
  usage: Usage | undefined,
  retried: number,
): Replaced {
  const fresh = [...found];
  const all = calls.map((call): CheckedCall => {
    const next = bad.includes(call) ? fresh.shift() : undefined;
    return next ? { ...next, part: inPlaceOf(call.part, next.part), changed: true, retried } : call;
  });
  const byId = new Map(all.map(({ part }) => [part.id, part]));
  const parts = response.message.parts.map(
    (part): AssistantPart => (part.type === 'call' ? (byId.get(part.id) ?? part) : part),
  );
  const message = { ...response.message, parts };
  // The truncated call was replaced.
  const finish = found.length > 0 ? 'tool_calls' : response.finish;
  return { response: { ...response, message, finish, ...(usage && { usage }) }, calls: all };
}

/** A call in the place of another, whose ids it takes: those of another response may be in use in this one. */
function inPlaceOf({ id, passthrough: own }: CallPart, part: CallPart): CallPart {
  const { passthrough } = part;
  if (!passthrough || passthrough.fields.id === undefined) return { ...part, id };
  const { id: _, ...fields } = passthrough.fields;
  const itemId = own?.fields.id;
  return {
    ...part,
    id,
    passthrough: { ...passthrough, fields: itemId === undefined ? fields : { ...fields, id: itemId } },
  };
}

const counts = ['input', 'output', 'cached', 'cacheWritten', 'reasoning'] as const;

/** The total usage. Passthrough fields belong to one response, and are dropped. */
function sumOf(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  if (!one || !other) return one ?? other;
  const sum: Partial<Record<(typeof counts)[number], number>> = {};
  for (const count of counts) {
    if (one[count] !== undefined || other[count] !== undefined) sum[count] = (one[count] ?? 0) + (other[count] ?? 0);
  }
  return sum;
}

/** Whether the upstream allows a retry. Calls are then buffered until they are checked. */
export const holdsCalls = (exchange: TurnExchange): boolean => {
  const body: JsonValue = JSON.parse(exchange.sent.toString('utf8'));
  return isObject(body) && !keepsState(exchange, body);
};

/** The field with the conversation in each API format. */
const lists: Readonly<Record<Format, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  ollama: 'messages',
};

/** Appends messages to a request body. The rest stays unchanged, so that prompt caches hit. */
function withMessages(wire: Provider, body: JsonObject, messages: readonly Message[]): JsonObject {
  const list = lists[wire.format];
  const before = body[list];
  const added = wire.writeRequest({ model: '', messages }).wire[list];
  const first: JsonValue[] = typeof before === 'string' ? [{ role: 'user', content: before }] : [];
  const all = [...(Array.isArray(before) ? before : first), ...(Array.isArray(added) ? added : [])];
  return { ...body, [list]: all };
}

/** The messages with the bad calls and their feedback; as text if the model doesn't support tools. */
function feedbackMessages(
  calls: readonly CheckedCall[],
  tries: number,
  { toolbox, asks }: TurnExchange,
): { readonly written: readonly Message[]; readonly before: Before } {
  const said = calls.map(({ part: { found: _, ...part } }) => ({
    ...part,
    arguments: repairArguments(part.name, part.arguments).arguments,
  }));
  const told = calls.flatMap(({ part: { id, name }, outcome }): ResultPart[] => {
    if (outcome.status !== 'invalid') return [];
    const { text } = feedback(outcome, { attempt: tries + 1, toolbox });
    return [{ type: 'result', callId: id, name, content: [{ type: 'text', text }], isError: true }];
  });
  const messages: Message[] = [
    { role: 'assistant', parts: said },
    { role: 'user', parts: told },
  ];
  const written =
    asks === undefined ? messages : textRequest({ messages }, { dialect: asks, toolbox, prompt: '' }).messages;
  return { written, before: contextOf(messages) };
}

/** Sends another body to the upstream; undefined if there is no response. */
async function askAgain(
  { again, wire, undo }: TurnExchange,
  body: JsonObject,
  signal: AbortSignal,
): Promise<TurnResponse | undefined> {
  try {
    const came = await again(Buffer.from(exactJson(body)), signal);
    if ((came.statusCode ?? 502) >= 400) {
      came.resume();
      return undefined;
    }
    let last: TurnEvent | undefined;
    for await (const event of readResponseEvents({ provider: wire, status: 200, next: nextOf(came), broken }))
      last = undo?.(event) ?? event;
    return last?.type === 'turn.finished' ? last.response : undefined;
  } catch {
    return undefined;
  }
}

function nextOf(came: IncomingMessage): () => Promise<Uint8Array | undefined> {
  const pieces = (came as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await pieces.next();
    return done ? undefined : value;
  };
}

const broken = (thrown: unknown) => ({ kind: 'network', message: String(thrown), retryable: true }) as const;

/**
 * Whether the upstream stores the conversation, which would then contain what the client never saw. A client of another
 * API format can't refer to it.
 */
const keepsState = ({ wire, client }: TurnExchange, body: JsonValue): boolean =>
  wire.format === 'openai-responses' &&
  client.format === wire.format &&
  isObject(body) &&
  (body.store !== false || Boolean(body.previous_response_id) || Boolean(body.conversation));

/**
 * Sends a request again if its response is empty: the model stopped without text or a call. Returns the first
 * response with content, or the last one. Nothing was sent to the client before.
 */
export async function retryEmptyTurns(exchange: TurnExchange, came: IncomingMessage): Promise<IncomingMessage> {
  const { options, toolbox, sent, left, again } = exchange;
  const { retries = 0, dryRun = false, retryLimits } = options;
  if (dryRun || toolbox.size === 0 || keepsState(exchange, JSON.parse(sent.toString('utf8')))) return came;
  const until = performance.now() + (retryLimits?.time ?? defaults.time);
  let { answer, isEmpty } = await untilContent(exchange, came);
  for (let tries = 1; tries <= retries && isEmpty && performance.now() < until && !left.aborted; tries += 1) {
    const next = await again(sent, left).catch(() => undefined);
    if (!next || (next.statusCode ?? 502) >= 400) {
      next?.resume();
      break;
    }
    ({ answer, isEmpty } = await untilContent(exchange, next));
  }
  return answer;
}

/** Reads a response up to its first content, and returns it with what was read. */
async function untilContent(
  exchange: TurnExchange,
  came: IncomingMessage,
): Promise<{ readonly answer: IncomingMessage; readonly isEmpty: boolean }> {
  const next = nextOf(came);
  const pieces: Uint8Array[] = [];
  let failed: { readonly thrown: unknown } | undefined;
  const read = async (): Promise<Uint8Array | undefined> => {
    try {
      const piece = await next();
      if (piece) pieces.push(piece);
      return piece;
    } catch (thrown) {
      failed = { thrown };
      throw thrown;
    }
  };
  let isEmpty = false;
  // Reasoning reaches the client of a stream at once, so that the response isn't empty for it.
  const isLive = exchange.question().stream === true;
  for await (const event of readResponseEvents({ provider: exchange.wire, status: 200, next: read, broken })) {
    if (event.type === 'turn.finished') isEmpty = isEmptyTurn(exchange, event.response);
    else if (event.type === 'part.started' && event.part.type !== 'text' && (isLive || !isThought(event.part))) break;
    else if (event.type === 'part.delta' && isLive && /\S/.test(event.text)) break;
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* pieces.splice(0);
    if (failed) throw failed.thrown;
    for (let piece = await next(); piece; piece = await next()) yield piece;
  }
  const answer = Object.assign(Readable.from(all(), { objectMode: false }), {
    statusCode: came.statusCode,
    headers: came.headers,
  });
  return { answer: answer as unknown as IncomingMessage, isEmpty };
}

const isEmptyTurn = (exchange: TurnExchange, response: TurnResponse): boolean =>
  response.finish === 'stop' &&
  response.message.parts.every((part) => isThought(part) || (part.type === 'text' && part.text.trim() === '')) &&
  callsIn(textCalls(exchange, response).response).length === 0;

const isThought = ({ type }: AssistantPart): boolean => type === 'reasoning';
