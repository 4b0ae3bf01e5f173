import { hasOwn, isObject } from '../json/value.ts';
import { grammarOf } from './grammar.ts';
import { type Machine, newMachine } from './machine.ts';
import { answerRows } from './rows-for.ts';
import { runMachine } from './run-machine.ts';

/**
 * Reads an answer that is nothing but calls without markers, for a reader that knows no tools. With anything beside
 * them it mentions calls and makes none: undefined.
 */
export function readAnswer(text: string, cut: boolean): Machine | undefined {
  const m = newMachine(grammarOf(answerRows, []), undefined, true);
  Object.assign(m, { buffer: text, ended: true, cut, whole: true });
  runMachine(m);
  const isText = m.events.some((event) => event.type === 'text' && /\S/.test(event.text));
  return m.calls.length > 0 && !isText && m.calls.every(isPlain) ? m : undefined;
}

/** A call that may be judged as one: without a toolbox, positional arguments find no name. */
const isPlain = ({ input, ...outcome }: Machine['calls'][number]): boolean =>
  (isObject(input) && !hasOwn(input, 'args') && outcome.status !== 'invalid') ||
  (outcome.status === 'invalid' && outcome.errorType === 'truncated');
