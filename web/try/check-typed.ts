import { readCalls } from '../../src/dialect/index.ts';
import { feedback, mend, type Outcome, type Toolbox } from '../../src/index.ts';
import type { Typed } from './typed.ts';

/** The result of reading the input. */
export interface TypedReading {
  /** The dialect; undefined for plain arguments. */
  readonly dialect?: string;
  /** The text for the user, and the reasoning. */
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly outcome: Outcome; readonly told?: string }[];
}

const ofArguments = 'args:';

/** Reads, mends and checks a text with the real core. */
export function checkTyped({ text, as, cut }: Typed, toolbox: Toolbox): TypedReading {
  const judged = (outcome: Outcome) =>
    outcome.status === 'invalid' ? { outcome, told: feedback(outcome, { toolbox }).text } : { outcome };
  if (as.startsWith(ofArguments)) {
    const call = {
      name: as.slice(ofArguments.length),
      arguments: text,
      ...(cut && { finishReason: 'length' as const }),
    };
    return { text: '', reasoning: '', calls: [judged(mend(call, toolbox))] };
  }
  const { dialect, text: rest, reasoning = '', calls } = readCalls(text, toolbox, { dialect: as, truncated: cut });
  return { dialect, text: rest, reasoning, calls: calls.map(judged) };
}
