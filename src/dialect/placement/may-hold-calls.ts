import type { Question } from '../../model/index.ts';

/** Whether an answer's words may hold calls at all: not without tools, where none may be called, or where the words are to be JSON. */
export const mayHoldCalls = ({ tools = [], toolChoice, output }: Question): boolean =>
  tools.some(({ type }) => type === 'function') && toolChoice !== 'none' && output === undefined;
