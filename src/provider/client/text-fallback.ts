import type { Model, Question, TurnEvent, TurnOptions } from '../../turn/turn.ts';
import { takesNoTools } from '../takes-no-tools.ts';
import { textModel } from '../text-model.ts';
import { abortable } from './abortable.ts';

/**
 * The same model, asked without native calls where its server says that it takes none: its calls are then read from its
 * text, and the server is not tried again.
 */
export function withTextFallback(model: Model): Model {
  const inText = textModel(model);
  let told = false;
  async function* answer(question: Question, options: TurnOptions): AsyncGenerator<TurnEvent> {
    if (!told) {
      for await (const event of model.answer(question, options)) {
        if (event.type === 'turn.failed' && takesNoTools(event.error)) told = true;
        else yield event;
      }
    }
    if (told) yield* inText.answer(question, options);
  }
  return {
    ...model,
    answer: (question, options = {}) =>
      question.tools?.length
        ? abortable((signal) => answer(question, { ...options, signal }), options.signal)
        : model.answer(question, options),
  };
}
