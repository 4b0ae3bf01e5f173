import type { Outcome } from '../../src/mend/outcome.ts';
import type { Toolbox } from '../../src/tools/toolbox.ts';
import type { Case } from './case.ts';
import { always, type Entrance, type Seen } from './entrance.ts';
import { judged } from './judged.ts';
import { toolboxOf } from './toolbox-of.ts';
import { kindsOf } from './wanted.ts';
import { wordsOn } from './words-on.ts';

const nothingRuns = '`mend()` checks a call and runs nothing';

/** `mend()`, `readCalls()` and `feedback()`, called by a program. */
export const library: Entrance = {
  name: 'library',
  column: 'library',
  hides: { run: nothingRuns, result: nothingRuns },
  cannot: {
    unnamed: "a single call isn't part of a message from which it could be removed",
    rules: nothingRuns,
    deadline: nothingRuns,
    stop: nothingRuns,
    runs: nothingRuns,
  },
  open: always(async (one) => {
    const toolbox = toolboxOf(one);
    return judged(one, toolbox).map((outcome) => seen(outcome, one, toolbox));
  }),
};

function seen(outcome: Outcome, { times = 1 }: Case, toolbox: Toolbox): Seen {
  if (outcome.status !== 'invalid') {
    const { status, name, input } = outcome;
    return { verdict: status, repairs: kindsOf(outcome), call: { name, input } };
  }
  return { verdict: outcome.errorType, call: 'as written', feedback: wordsOn(outcome, times, toolbox) };
}
