import type { BadOutcome, Outcome } from './outcome.ts';

/** What becomes of a call with which something was found wrong where it was read: it is shown, and it never runs. */
export function withFound(outcome: Outcome): Outcome {
  const { found = [] } = outcome.raw;
  if (found.length === 0) return outcome;
  if (outcome.status === 'invalid' && outcome.errorType !== 'validation') return outcome;
  const { raw, tool, name, input, repairs } = outcome;
  const cut = found.some(({ code }) => code === 'truncated');
  const refused: BadOutcome = {
    ...{ status: 'invalid', errorType: cut ? 'truncated' : 'validation', raw, name, input, repairs },
    problems: cut ? found : [...found, ...outcome.problems],
  };
  return tool ? { ...refused, tool } : refused;
}
