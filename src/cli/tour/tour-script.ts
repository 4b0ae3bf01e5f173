import type { Script, ScriptedTurn } from '../../provider/scripted/script.ts';
import type { Question } from '../../turn/turn.ts';
import { tourEnds, tourTurns } from './tour-turns.ts';

const over = 'I am a script, and this was all of it. Set a key in the environment and choose a model to go on.';

/** The turns of the tour, at a pace at which a person can follow. */
export function tourScript(manner: Pick<ScriptedTurn, 'chunk' | 'pace' | 'delay'> = {}): Script {
  return (question) => {
    // By what was said and not by how often it was asked, so that a run can be taken up again.
    const turn = question.messages.filter(({ role }) => role === 'assistant').length;
    return { ...manner, ...(tourTurns[turn] ?? last(question, turn)) };
  };
}

const last = (question: Question, turn: number): ScriptedTurn => ({
  text: turn > tourTurns.length ? over : lastFailed(question) ? tourEnds.kept : tourEnds.done,
});

const lastFailed = ({ messages }: Question): boolean =>
  messages.at(-1)?.parts.some((part) => part.type === 'result' && part.isError) === true;
