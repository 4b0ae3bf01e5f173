/** The table of damages over real tool definitions. `TOOLMEND_TRIES` (kinds tried per call) widens it to all of them. */
import { describe, expect, it } from 'vitest';
import { isLong } from '../sample.ts';
import { answer } from './answer.ts';
import { hasBfcl, realSubjects } from './bfcl.ts';
import { damages } from './damages.ts';
import { judge, type Verdict } from './judge.ts';
import { randomFrom, seedOf } from './random.ts';
import { failureText, tableOf } from './table.ts';
import { type Failure, type Row, recovery } from './tally.ts';
import { trialOf } from './trial.ts';

const perCall = Number(process.env.TOOLMEND_TRIES ?? 12);
const seed = Number(process.env.TOOLMEND_SEED ?? 1);
/** Without being asked for more, every third tool will do. */
const stride = process.env.TOOLMEND_TRIES === undefined ? 3 : 1;
const kinds = damages.filter((kind) => kind.subjects === undefined);

interface Count {
  counts: Record<Verdict, number>;
  recoverable: number;
  trials: number;
  failures: Failure[];
}

const run = (): Row[] => {
  const counts = new Map<string, Count>(
    kinds.map((kind) => [
      kind.name,
      {
        counts: { recovered: 0, refused: 0, missed: 0, wrong: 0, mislabelled: 0 },
        recoverable: 0,
        trials: 0,
        failures: [],
      },
    ]),
  );
  for (const [at, { subject, pool }] of realSubjects().entries()) {
    if (at % stride !== 0) continue;
    const random = randomFrom(seedOf(subject.name, at, seed));
    for (const kind of random.some(perCall, perCall, () => random.pick(kinds))) {
      const trial = trialOf(kind, subject, pool, seed + at);
      const count = counts.get(kind.name);
      if (trial === undefined || count === undefined) continue;
      const given = answer(trial, `${at}`);
      const verdict = judge(trial, given);
      count.counts[verdict] += 1;
      count.trials += 1;
      if (trial.want === 'recover') count.recoverable += 1;
      if (verdict !== 'recovered' && verdict !== 'refused') count.failures.push({ trial, answer: given, verdict });
    }
  }
  return kinds.map((kind) => ({ kind, ...(counts.get(kind.name) as Count) }));
};

describe.skipIf(!hasBfcl)('damaged calls to real tools', () => {
  it('are recovered to more than 99 %, refused where they must be, and never silently wrong', {
    timeout: 300_000,
  }, () => {
    const rows = run();
    if (process.env.TOOLMEND_TABLE === '1') console.log(tableOf(rows));
    const failures = rows.flatMap((row) => row.failures);
    const told = (verdict: Verdict): string => {
      const found = failures.filter((failure) => failure.verdict === verdict);
      return `${found.length} ${verdict}\n${found.slice(0, 5).map(failureText).join('\n')}`;
    };
    expect(rows.reduce((sum, row) => sum + row.trials, 0)).toBeGreaterThan(isLong ? 1000 : 250);
    expect(failures.filter((failure) => failure.verdict === 'wrong').length, told('wrong')).toBe(0);
    expect(failures.filter((failure) => failure.verdict === 'mislabelled').length, told('mislabelled')).toBe(0);
    expect(recovery(rows), told('missed')).toBeGreaterThan(0.99);
  });
});
