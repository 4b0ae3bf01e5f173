import type { AssistantPart, Model, ModelRequest, TurnEvent, TurnResponse } from '../../src/model/index.ts';
import { eventsOf } from '../provider/wire-suite.ts';

/** A turn: an answer, or what to answer to a question. */
export type Played =
  | readonly AssistantPart[]
  | Partial<TurnResponse>
  | ((question: ModelRequest) => readonly AssistantPart[] | Partial<TurnResponse>);

/** A model that plays these turns, one for each question, and keeps what it was asked. */
export function plays(...turns: readonly Played[]): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    name: 'played',
    provider: 'test',
    asked,
    async *stream(question, { signal } = {}): AsyncGenerator<TurnEvent> {
      const turn = turns[Math.min(asked.length, turns.length - 1)] ?? [];
      asked.push(structuredClone(question));
      const given = typeof turn === 'function' ? turn(question) : turn;
      const { message = { role: 'assistant', parts: [] }, ...rest }: Partial<TurnResponse> = Array.isArray(given)
        ? { message: { role: 'assistant', parts: given } }
        : (given as Partial<TurnResponse>);
      const called = message.parts.some(({ type }) => type === 'call');
      for (const event of eventsOf({ finish: called ? 'tool_calls' : 'stop', message, ...rest })) {
        if (signal?.aborted) return;
        await null;
        yield event;
      }
    },
  };
}

/** Words. */
export const says = (text: string): AssistantPart => ({ type: 'text', text });

/** A call with its arguments as the model wrote them. */
export const calls = (name: string, written: unknown, id: string = crypto.randomUUID()): AssistantPart => ({
  type: 'call',
  id,
  name,
  arguments: written,
});
