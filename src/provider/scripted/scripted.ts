import type { Model, Question, TurnError, TurnEvent } from '../../turn/turn.ts';
import { abortable } from '../client/abortable.ts';
import { failedTurn } from '../failed-turn.ts';
import { asRead } from './as-read.ts';
import { playTurn } from './play-turn.ts';
import type { Script } from './script.ts';

/** Settings of a scripted model. */
export interface ScriptedOptions {
  /** What it calls itself; `scripted` unless it is said. */
  readonly model?: string;
}

/**
 * A model that plays written or recorded turns: each question is answered with the next one, the same way every time.
 * For tests, demonstrations and work without a network.
 *
 * @example
 * const model = scripted([
 *   { calls: [{ name: 'read_file', arguments: '{"path": "a.ts"}' }] },
 *   'It is empty.',
 * ]);
 */
export function scripted(script: Script, { model = 'scripted' }: ScriptedOptions = {}): Model {
  let turns = 0;
  return {
    name: model,
    provider: 'scripted',
    answer(question, { signal } = {}) {
      const turn = turns;
      turns += 1;
      return abortable((own) => asRead(played(script, question, turn, model, own)), signal);
    },
  };
}

async function* played(
  script: Script,
  question: Question,
  turn: number,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const play = typeof script === 'function' ? await script(question, turn) : script[turn];
  if (play === undefined) yield failedTurn(scriptIsOver(turn));
  else yield* playTurn(play, question.model ?? model, turn, signal);
}

/** What is said to a question for which there is no turn. */
export const scriptIsOver = (turns: number): TurnError => ({
  kind: 'request',
  message: `The script is over: it has ${turns} ${turns === 1 ? 'turn' : 'turns'}, and another one was asked for`,
  retryable: false,
});
