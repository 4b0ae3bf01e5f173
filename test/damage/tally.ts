/** Runs the table and counts. */
import type { Subject } from './definition.ts';
import { type Answer, judge, type Verdict } from './judge.ts';
import type { Kind } from './kind.ts';
import { subjects as allSubjects } from './schemas.ts';
import { type Trial, trialOf } from './trial.ts';

export interface Failure {
  readonly trial: Trial;
  readonly answer: Answer;
  readonly verdict: Verdict;
}

export interface Row {
  readonly kind: Kind;
  readonly counts: Readonly<Record<Verdict, number>>;
  /** How many should have been recovered. */
  readonly recoverable: number;
  readonly trials: number;
  readonly failures: readonly Failure[];
}

export interface Run {
  readonly subjects: readonly Subject[];
  /** Tries per kind and tool. */
  readonly tries: number;
  readonly seed: number;
  readonly answer: (trial: Trial) => Answer;
}

/** The tools of the toolbox a subject is called in: itself and a few neighbours. */
const poolOf = (subjects: readonly Subject[], at: number): readonly Subject[] =>
  subjects.length <= 6
    ? subjects
    : Array.from({ length: 6 }, (_, step) => subjects[(at + step) % subjects.length] as Subject);

/** Every trial of one kind. */
export function* trialsOf(kind: Kind, { subjects, tries, seed }: Omit<Run, 'answer'>): Generator<Trial> {
  const own = kind.subjects ?? subjects;
  for (const [at, subject] of own.entries()) {
    const pool = poolOf(own, at);
    for (let one = 0; one < tries; one += 1) {
      const trial = trialOf(kind, subject, pool, seed + one);
      if (trial !== undefined) yield trial;
    }
  }
}

const made = new Map<string, readonly Trial[]>();

/** Every trial of one kind over all tools, made once: that costs more than trying a few of them. */
export function allTrials(kind: Kind, tries: number, seed: number): readonly Trial[] {
  const key = `${kind.name} ${tries} ${seed}`;
  const trials = made.get(key) ?? [...trialsOf(kind, { subjects: allSubjects, tries, seed })];
  made.set(key, trials);
  return trials;
}

/** Runs one kind over its tools. */
export const tally = (kind: Kind, run: Run): Row => {
  const counts: Record<Verdict, number> = { recovered: 0, refused: 0, missed: 0, wrong: 0, mislabelled: 0 };
  const failures: Failure[] = [];
  let recoverable = 0;
  let trials = 0;
  for (const trial of trialsOf(kind, run)) {
    const answer = run.answer(trial);
    const verdict = judge(trial, answer);
    counts[verdict] += 1;
    trials += 1;
    if (trial.want === 'recover') recoverable += 1;
    if (verdict !== 'recovered' && verdict !== 'refused') failures.push({ trial, answer, verdict });
  }
  return { kind, counts, recoverable, trials, failures };
};

/** The share of what should have been recovered that was; 1 where there was nothing to recover. */
export const recovery = (rows: readonly Row[]): number => {
  const recoverable = rows.reduce((sum, row) => sum + row.recoverable, 0);
  const missed = rows.reduce(
    (sum, row) =>
      sum + row.failures.filter(({ trial, verdict }) => trial.want === 'recover' && verdict !== 'mislabelled').length,
    0,
  );
  return recoverable === 0 ? 1 : 1 - missed / recoverable;
};
