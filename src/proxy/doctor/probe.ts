import type { Model, Question, TurnError, TurnResponse } from '../../turn/turn.ts';

/** What came of one question. */
export interface Probe {
  readonly response: TurnResponse;
  readonly error?: TurnError;
  /** How many pieces a call's arguments came in. */
  readonly pieces: number;
}

/** Asks a model one question, and waits for all of the answer. */
export async function probe(model: Model, question: Question): Promise<Probe> {
  let pieces = 0;
  const calls = new Set<number>();
  for await (const event of model.answer(question)) {
    if (event.type === 'part.started' && event.part.type === 'call') calls.add(event.index);
    else if (event.type === 'part.grew' && calls.has(event.index)) pieces += 1;
    else if (event.type === 'turn.finished') return { response: event.response, pieces };
    else if (event.type === 'turn.failed') return { response: event.response, error: event.error, pieces };
  }
  return { response: nothing, error: { kind: 'protocol', message: 'The answer has no end', retryable: false }, pieces };
}

const nothing: TurnResponse = { message: { role: 'assistant', parts: [] }, finish: 'error' };
