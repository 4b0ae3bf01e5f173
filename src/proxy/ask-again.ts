import type { IncomingMessage } from 'node:http';
import { feedback } from '../call/feedback.ts';
import type { Before } from '../call/mend-repeated.ts';
import type { JudgedCall } from '../call/mended-call.ts';
import { contextOf } from '../dialect/context.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { readAnswer } from '../provider/client/read-answer.ts';
import { soundArguments } from '../provider/fit/sound-arguments.ts';
import { textQuestion } from '../provider/text/text-question.ts';
import type { Provider } from '../provider/wire.ts';
import type { Format, Message, ResultPart, TurnEvent, TurnResponse } from '../turn/turn.ts';
import type { TurnExchange } from './exchange.ts';

/** Where each wire keeps its conversation. */
const lists: Readonly<Record<Format, string>> = {
  ...{ 'openai-chat': 'messages', 'openai-responses': 'input', anthropic: 'messages' },
  ...{ gemini: 'contents', ollama: 'messages' },
};

/** A request's body with more at the end of its conversation; all before it stays, so that caches hit. */
export function withMessages(wire: Provider, body: JsonObject, messages: readonly Message[]): JsonObject {
  const list = lists[wire.format];
  const before = body[list];
  const added = wire.writeRequest({ model: '', messages }).wire[list];
  const first: JsonValue[] = typeof before === 'string' ? [{ role: 'user', content: before }] : [];
  const all = [...(Array.isArray(before) ? before : first), ...(Array.isArray(added) ? added : [])];
  return { ...body, [list]: all };
}

/** What the model said that can't be mended, and what it is told about it; in words where it knows no other way. */
export function feedbackMessages(
  calls: readonly JudgedCall[],
  tries: number,
  { toolbox, asks }: TurnExchange,
): { readonly written: readonly Message[]; readonly before: Before } {
  const said = calls.map(({ part: { found: _, ...part } }) => ({
    ...part,
    arguments: soundArguments(part.name, part.arguments).arguments,
  }));
  const told = calls.flatMap(({ part: { id, name }, outcome }): ResultPart[] => {
    if (outcome.status !== 'invalid') return [];
    const { text } = feedback(outcome, { tries: tries + 1, toolbox });
    return [{ type: 'result', callId: id, name, content: [{ type: 'text', text }], isError: true }];
  });
  const messages: Message[] = [
    { role: 'assistant', parts: said },
    { role: 'user', parts: told },
  ];
  const written =
    asks === undefined ? messages : textQuestion({ messages }, { dialect: asks, toolbox, prompt: '' }).messages;
  return { written, before: contextOf(messages) };
}

/** Asks once more with another body; nothing where no answer comes of it. */
export async function askAgain(
  { again, wire, undo }: TurnExchange,
  body: JsonObject,
  signal: AbortSignal,
): Promise<TurnResponse | undefined> {
  try {
    const came = await again(Buffer.from(JSON.stringify(body)), signal);
    if ((came.statusCode ?? 502) >= 400) {
      came.resume();
      return undefined;
    }
    let last: TurnEvent | undefined;
    for await (const event of readAnswer({ provider: wire, status: 200, next: nextOf(came), broken }))
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

/** Whether the upstream keeps the conversation itself, so that what the client never saw would stay in it. */
export const keepsState = (wire: Provider, body: JsonValue): boolean =>
  wire.format === 'openai-responses' &&
  isObject(body) &&
  (body.store !== false || Boolean(body.previous_response_id) || Boolean(body.conversation));
