import { mend } from '../../call/mend.ts';
import type { Outcome } from '../../call/outcome.ts';
import { readCalls } from '../../dialect/read-calls.ts';
import { excerpt } from '../../provider/client/excerpt.ts';
import { rescue } from '../../provider/client/rescue.ts';
import type { CallPart, Question } from '../../turn/turn.ts';
import type { Probe } from './probe.ts';
import { toolbox } from './questions.ts';

/** What became of a call that was asked for. */
export type ProbedCall =
  /** The wire said it. */
  | { readonly way: 'native'; readonly calls: readonly Outcome[] }
  /** It stands in the text. */
  | { readonly way: 'text'; readonly dialect: string; readonly said: string }
  /** The server could not read what its model wrote, and says so; we can. */
  | { readonly way: 'unread'; readonly said: string }
  | { readonly way: 'refused'; readonly said: string }
  /** The limit of tokens came first. */
  | { readonly way: 'cut' }
  | { readonly way: 'none'; readonly said: string };

/** Finds the calls in an answer, wherever they stand. */
export function readProbe({ response, error }: Probe, question: Question): ProbedCall {
  if (error) {
    const said = error.message;
    return rescue(error, question) ? { way: 'unread', said } : { way: 'refused', said };
  }
  const { parts } = response.message;
  const native = parts.filter((part): part is CallPart => part.type === 'call');
  if (native.length > 0) return { way: 'native', calls: native.map((part) => mend(part, toolbox)) };
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const { calls, dialect } = readCalls(text, toolbox);
  if (calls.some(({ name }) => toolbox.has(name))) return { way: 'text', dialect, said: excerpt(text, 80) };
  if (response.finish === 'length') return { way: 'cut' };
  return { way: 'none', said: text.trim() === '' ? 'an empty answer' : excerpt(text, 80) };
}
