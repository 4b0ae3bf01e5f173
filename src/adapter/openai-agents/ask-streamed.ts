import type {
  Model,
  ModelRequest,
  StreamEvent,
  StreamEventGenericItem,
  StreamEventResponseCompleted,
} from '@openai/agents-core';
import type { MendOptions } from '../mend-options.ts';
import { optionsFor } from './agents-options.ts';
import { ChatChunks } from './chat-chunks.ts';
import { cutOff, isCutOff } from './cut-off.ts';
import { cutLast, finishOf, saysCut } from './finish-of.ts';
import { requestTools } from './request-tools.ts';
import type { Answer } from './settle.ts';
import { StreamedWords } from './streamed-words.ts';

/** An answer that streamed. Without `done` it never ended, and the SDK says so. */
export interface StreamedAnswer extends Answer {
  readonly done?: StreamEventResponseCompleted;
}

/** Asks a model for answers that stream: of several, only the first begins, and none ends before it is judged. */
export function askStreamed(
  model: Model,
  options: MendOptions,
): (request: ModelRequest) => AsyncGenerator<StreamEvent, StreamedAnswer> {
  let started = false;
  return async function* (request) {
    const words = new StreamedWords(requestTools(request).toolbox, optionsFor(request, options));
    const chunks = new ChatChunks();
    let done: StreamEventResponseCompleted | undefined;
    let raw: StreamEventGenericItem | undefined;
    let cut: unknown;
    try {
      for await (const event of model.getStreamedResponse(request)) {
        if (event.type === 'response_done') done = event;
        else if (event.type === 'output_text_delta') yield* words.take(event);
        else if (event.type === 'model') {
          raw = event;
          if (saysCut(event.event)) cut = event.event;
          chunks.take(event);
          yield event;
        } else if (!started) {
          started = true;
          yield event;
        }
      }
    } catch (error) {
      done = isCutOff(error) ? cutOff(raw) : undefined;
      if (!done) {
        yield* words.fail();
        throw error;
      }
    }
    if (!done) return { output: [] };
    const { response } = done;
    const told = cut ? 'length' : finishOf(response.providerData, response.output);
    const { output: came, finish = told } = chunks.end(response.output);
    const output = finish === 'length' ? cutLast(came, cut ?? response.providerData) : came;
    yield* words.end(output, finish);
    return { done, output, finish, id: response.id, usage: response.usage };
  };
}
