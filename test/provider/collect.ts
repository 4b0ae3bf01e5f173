import type { Model, ModelRequest, TurnEvent, TurnOptions, TurnResponse } from '../../src/model/index.ts';

/** A question of one sentence. */
export const asking = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
  ...more,
});

/** All that a model says to a question. */
export async function collect(model: Model, question: ModelRequest, options?: TurnOptions): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of model.stream(question, options)) events.push(event);
  return events;
}

/** The answer, where the turn was finished. */
export async function answered(model: Model, question: ModelRequest): Promise<TurnResponse> {
  const last = (await collect(model, question)).at(-1);
  if (last?.type !== 'turn.finished') throw new Error(`not finished: ${JSON.stringify(last)}`);
  return last.response;
}

/** Why the turn failed, where it did. */
export async function failure(model: Model, question: ModelRequest, options?: TurnOptions) {
  const last = (await collect(model, question, options)).at(-1);
  if (last?.type !== 'turn.failed') throw new Error(`not failed: ${JSON.stringify(last)}`);
  return last;
}
