import { commonDialect } from '../dialect/dialects/index.ts';
import { contextOf } from '../dialect/echo/context.ts';
import type { Dialect } from '../dialect/types.ts';
import { checkArgument } from '../json/value.ts';
import type { Model } from '../model/index.ts';
import { abortable } from './client/abort.ts';
import { askInText, type ToolPromptText } from './text-calls/text-prompt.ts';
import { readTextTurn } from './text-calls/text-turn.ts';

/** Options of a text model. */
export interface TextModelOptions {
  /**
   * The dialect for the prompt, the history and the reader.
   * @default a common dialect for the prompt and the history; the reader detects any
   */
  readonly dialect?: string | Dialect;
  /** A custom description of the tools for the model, or a function that returns one. */
  readonly prompt?: ToolPromptText;
  /** Also read calls without markers. Text is then buffered until the end. */
  readonly prompted?: boolean;
}

/**
 * Adds tool calling to a model without it: the system message describes the tools, and calls are read from the response
 * text. The result is used like any other model.
 *
 * @example
 * const model = textModel(ollama({ model: 'a-small-one' }), { dialect: 'llama-json' });
 */
export function textModel(model: Model, options: TextModelOptions = {}): Model {
  checkArgument(
    typeof model?.stream === 'function',
    'model',
    'an object with stream(), such as the one openai() returns',
    model,
  );
  const { dialect, prompt, prompted = false } = options;
  const written = dialect === undefined || dialect === 'auto' ? commonDialect : dialect;
  return {
    name: model.name,
    provider: model.provider,
    stream(question, turn = {}) {
      const { question: asked, toolbox } = askInText(question, written, prompt);
      // With an output schema, JSON in the text is the output, not a call.
      if (toolbox.size === 0 || question.output) return model.stream(asked, turn);
      const context = (): ReturnType<typeof contextOf> => contextOf(question.messages);
      const reads = { dialect: dialect ?? 'auto', prompted, context, taught: true };
      return abortable((signal) => readTextTurn(model.stream(asked, { ...turn, signal }), toolbox, reads), turn.signal);
    },
  };
}
