import { readCalls } from '../../src/dialect/index.ts';
import { feedback, mend, type Outcome, type Toolbox } from '../../src/index.ts';
import type { Typed } from './typed.ts';

/** What came of what was typed. */
export interface TypedReading {
  /** The dialect it was read in; undefined for arguments alone. */
  readonly dialect?: string;
  /** What is left for the user, and what the model thought. */
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly outcome: Outcome; readonly told?: string }[];
}

const ofArguments = 'args:';

/** Reads, mends and checks a text by the real core. */
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
