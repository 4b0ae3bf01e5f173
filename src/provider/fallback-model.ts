import { checkArgument } from '../json/value.ts';
import type { Model, ModelRequest, TurnEvent, TurnFailed } from '../model/index.ts';
import { abortable } from './client/abort.ts';

/**
 * Uses the first of several models that responds. If a request fails before any part of the response has arrived, the next
 * model gets it. Later failures are reported, because what was streamed can't be taken back.
 *
 * @example
 * const model = fallbackModel([openai({ model: 'the-usual-one' }), anthropic({ model: 'another' })]);
 */
export function fallbackModel(models: readonly Model[]): Model {
  const areModels =
    Array.isArray(models) && models.length > 0 && models.every((one) => typeof one?.stream === 'function');
  checkArgument(areModels, 'models', 'a list of objects with stream(), such as those openai() returns', models);
  const [first] = models as readonly [Model, ...Model[]];
  return {
    name: first.name,
    provider: first.provider,
    // A service that parses calls itself can only be assumed if all of them do.
    ...(models.every(({ hosted }) => hosted === true) && { hosted: true }),
    stream: (request, options = {}) => abortable((signal) => answer(models, request, signal), options.signal),
  };
}

async function* answer(
  models: readonly Model[],
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const last = models.length - 1;
  for (const [index, model] of models.entries()) {
    const failed = yield* events(model, request, signal, index < last);
    if (!failed || signal.aborted) return;
  }
}

/** Passes the events of a model on. Returns true if it failed at the start and another model can take over. */
async function* events(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  hasNext: boolean,
): AsyncGenerator<TurnEvent, boolean> {
  const early: TurnEvent[] = [];
  let streaming = false;
  const givesUp = (error: TurnFailed['error']): boolean =>
    hasNext && !streaming && error.kind !== 'aborted' && !signal.aborted;
  try {
    for await (const event of model.stream(request, { signal })) {
      if (event.type === 'turn.failed' && givesUp(event.error)) return true;
      // The start belongs to a response only if more of it follows.
      if (event.type === 'turn.started' && !streaming) {
        early.push(event);
        continue;
      }
      streaming = true;
      yield* early.splice(0);
      yield event;
    }
  } catch (error) {
    if (hasNext && !streaming && !signal.aborted) return true;
    throw error;
  }
  // A model that ends without any part of a response has failed too.
  if (hasNext && !streaming && !signal.aborted) return true;
  yield* early.splice(0);
  return false;
}
