import type { Dialect } from '../../dialect/dialect.ts';
import { toolPrompt } from '../../dialect/tool-prompt.ts';
import { Toolbox } from '../../tool/toolbox.ts';
import type { Question, ToolChoice } from '../../turn/turn.ts';
import { toolFromSpec } from '../fit/tool-from-spec.ts';
import { textQuestion } from './text-question.ts';

/** A question that needs no native calls, and the tools that its answer may call in its text. */
export interface TextRequest<Q extends Question = Question> {
  readonly question: Q;
  readonly toolbox: Toolbox;
}

/** What the model is told of its tools, in place of our own words; a function gets the tools. */
export type ToolWords = string | ((tools: Toolbox) => string);

/** Asks for calls as text: the tools are described in the system message, and the history is text. */
export function askInText<Q extends Question>(
  question: Q,
  dialect: string | Dialect,
  prompt?: ToolWords,
): TextRequest<Q> {
  const toolbox = toolboxOf(question);
  const words = toolbox.size === 0 ? '' : wordsFor(toolbox, dialect, prompt, question);
  // What the question holds beside its tools and messages is passed on as it is.
  return { question: textQuestion(question, { dialect, toolbox, prompt: words }) as Q, toolbox };
}

/** The tools of a question; none where it says that none may be called. */
function toolboxOf({ tools = [], toolChoice }: Question): Toolbox {
  const specs = toolChoice === 'none' ? [] : tools.filter((one) => one.type === 'function');
  return new Toolbox(specs.map(toolFromSpec), { definitions: 'given' });
}

function wordsFor(
  toolbox: Toolbox,
  dialect: string | Dialect,
  prompt: ToolWords | undefined,
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
