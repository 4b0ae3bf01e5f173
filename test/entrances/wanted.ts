import type { Outcome } from '../../src/mend/outcome.ts';
import type { Toolbox } from '../../src/tools/toolbox.ts';
import type { Case, Expected } from './case.ts';
import type { Seen } from './entrance.ts';
import { judged } from './judged.ts';
import { resultOf, toolboxOf } from './toolbox-of.ts';
import { wordsOn } from './words-on.ts';

const known = new WeakMap<Case, readonly Seen[]>();

/** What must be seen of each call, wherever it can be seen: by the table, and in the library's words. Read once per case. */
export function wanted(one: Case): readonly Seen[] {
  const seen = known.get(one) ?? read(one);
  known.set(one, seen);
  return seen;
}

function read(one: Case): readonly Seen[] {
  const toolbox = toolboxOf(one);
  const outcomes = judged(one, toolbox);
  return one.expect.map((expected, at) => wantedOf(expected, outcomes[at], one, toolbox));
}

function wantedOf(expected: Expected, outcome: Outcome | undefined, { times = 1 }: Case, toolbox: Toolbox): Seen {
  if (expected.is === 'invalid') {
    const told = outcome?.status === 'invalid' ? wordsOn(outcome, times, toolbox) : 'The library takes it';
    return { verdict: expected.errorType, call: 'as written', run: 'nothing', feedback: told };
  }
  const { name, input } = expected;
  const call = { name, input };
  if (expected.is === 'failed') {
    const run = expected.errorType === 'denied' ? 'nothing' : call;
    return { verdict: expected.errorType, repairs: [], call, run, result: expected.tells };
  }
  const { is, note, repairs = outcome ? kindsOf(outcome) : [] } = expected;
  const result = note === undefined ? resultOf(name) : `${resultOf(name)}\nNote: ${note}`;
  return { verdict: is, repairs, call, run: call, result };
}

/** The kinds of repair that were made, each once. */
export const kindsOf = ({ repairs }: Pick<Outcome, 'repairs'>): string[] => [
  ...new Set(repairs.map(({ kind }) => kind)),
];
