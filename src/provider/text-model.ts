import type { Dialect } from '../dialect/dialect.ts';
import { commonDialect } from '../dialect/table.ts';
import { toolPrompt } from '../dialect/tool-prompt.ts';
import { Toolbox } from '../tool/toolbox.ts';
import type { Model, Question, ToolChoice } from '../turn/turn.ts';
import { abortable } from './client/abortable.ts';
import { toolFromSpec } from './fit/tool-from-spec.ts';
import { textAnswer } from './text/text-answer.ts';
import { textQuestion } from './text/text-question.ts';

/** Settings of a text model. */
export interface TextModelOptions {
  /**
   * How calls are asked for, written in the history and read. Where it is not said, they are asked for and written in
   * one that many models know, and read in any.
   */
  readonly dialect?: string | Dialect;
  /** What the model is told of its tools, in place of our own words; a function gets the tools. */
  readonly prompt?: string | ((tools: Toolbox) => string);
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
      const toolbox = toolboxOf(question);
      const words = toolbox.size === 0 ? '' : wordsFor(toolbox, written, prompt, question);
      const asked = textQuestion(question, { dialect: written, toolbox, prompt: words });
      if (toolbox.size === 0) return model.answer(asked, turn);
      const reads = { dialect: dialect ?? 'auto', prompted };
      return abortable((signal) => textAnswer(model.answer(asked, { ...turn, signal }), toolbox, reads), turn.signal);
    },
  };
}

/** The tools of a question; none where it says that none may be called. */
function toolboxOf({ tools = [], toolChoice }: Question): Toolbox {
  const specs = toolChoice === 'none' ? [] : tools.filter((one) => one.type === 'function');
  return new Toolbox(specs.map(toolFromSpec), { definitions: 'given' });
}

function wordsFor(
  toolbox: Toolbox,
  dialect: string | Dialect,
  prompt: TextModelOptions['prompt'],
  { toolChoice = 'auto', parallelCalls }: Question,
): string {
  const words = typeof prompt === 'function' ? prompt(toolbox) : (prompt ?? toolPrompt(toolbox, dialect));
  return [words, ...choiceWords(toolChoice), ...(parallelCalls === false ? ['Make one call at a time.'] : [])].join(
    '\n',
  );
}

function choiceWords(choice: ToolChoice): string[] {
  if (typeof choice === 'object') return [`This time you must call the tool ${choice.tool}.`];
  return choice === 'required' ? ['This time you must call a tool.'] : [];
}
