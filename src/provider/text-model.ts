import { contextOf } from '../dialect/echo/context.ts';
import { commonDialect } from '../dialect/rows/index.ts';
import type { Dialect } from '../dialect/types.ts';
import type { Model } from '../model/index.ts';
import { abortable } from './client/abort.ts';
import { askInText, type ToolPromptText } from './text-calls/text-prompt.ts';
import { readTextTurn } from './text-calls/text-turn.ts';

/** Settings of a text model. */
export interface TextModelOptions {
  /**
   * How calls are asked for, written in the history and read. Where it is not said, they are asked for and written in
   * one that many models know, and read in any.
   */
  readonly dialect?: string | Dialect;
  /** What the model is told of its tools, in place of our own words; a function gets the tools. */
  readonly prompt?: ToolPromptText;
  /** Answers without markers are read as calls too; their text is then held back until the end. */
  readonly prompted?: boolean;
}

/**
 * Tool calling for a model that has none: the tools are described in the system message, and calls are read from the
 * text of the answer. To whoever asks it is a model like any other.
 *
 * @example
 * const model = textModel(ollama({ model: 'a-small-one' }), { dialect: 'llama-json' });
 */
export function textModel(model: Model, options: TextModelOptions = {}): Model {
  const { dialect, prompt, prompted = false } = options;
  const written = dialect === undefined || dialect === 'auto' ? commonDialect : dialect;
  return {
    name: model.name,
    provider: model.provider,
    answer(question, turn = {}) {
      const { question: asked, toolbox } = askInText(question, written, prompt);
      // Words that are to be JSON are an answer.
      if (toolbox.size === 0 || question.output) return model.answer(asked, turn);
      const context = (): ReturnType<typeof contextOf> => contextOf(question.messages);
      const reads = { dialect: dialect ?? 'auto', prompted, context, taught: true };
      return abortable((signal) => readTextTurn(model.answer(asked, { ...turn, signal }), toolbox, reads), turn.signal);
    },
  };
}
