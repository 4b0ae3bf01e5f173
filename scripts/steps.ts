import { existsSync } from 'node:fs';
import { type Count, countTests } from './count-tests.ts';

/** A check. It counts as one, unless `count` reads more from its report. */
export interface Step {
  readonly name: string;
  /** `long` steps run only if named: `npm run test:long`. */
  readonly group: 'check' | 'test' | 'long';
  /**
   * The program, looked up in `node_modules/.bin` first, and its arguments. `{report}` is the step's report file, `{package}`
   * the folder with the package that the step `build` packs.
   */
  readonly command: readonly [string, ...string[]];
  /** The step that must end first. It always runs with this one. */
  readonly after?: string;
  /** The step that checks the same and more. This one runs only without it, or if it is named. */
  readonly within?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Minutes after which the step is ended and fails. Default: 20. */
  readonly minutes?: number;
  readonly count?: (report: string) => Count;
}

// The native compiler needs a third of the time. Version 6 stays for what uses its API. Several checkers would check the types of
// libraries once each.
const tsc = ['node', 'node_modules/typescript-7/bin/tsc', '--checkers', '1'] as const;
const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json', '--outputFile.json={report}'] as const;
// Tests on recorded data skip only if the data is missing.
const count = (report: string): Count => countTests(report, !existsSync('../shared'));
/** Counts the tests that a name selects. The others in the file are skipped, and run in another step. */
const countSelected = (report: string): Count => {
  const { passed, failed } = countTests(report, true);
  return { passed, failed: passed + failed === 0 ? 1 : failed };
};

/** Everything a clean clone must pass, in starting order, two steps at a time on two cores. */
export const steps: readonly Step[] = [
  { name: 'build', group: 'check', command: ['node', 'scripts/pack.ts', '{package}'] },
  { name: 'tests', group: 'test', command: vitest, after: 'build', count },
  { name: 'types', group: 'check', command: [...tsc, '-p', '.'] },
  { name: 'types-web', group: 'check', command: [...tsc, '-p', 'web'] },
  { name: 'lint', group: 'check', command: ['biome', 'ci', '--error-on-warnings', '--colors=off', '.'] },
  {
    name: 'layers',
    group: 'check',
    command: ['depcruise', '--config', '.dependency-cruiser.mjs', 'src', 'web'],
    within: 'tests',
  },
  {
    name: 'publint',
    group: 'check',
    command: ['publint', 'run', '--strict', '{package}/toolmend.tgz'],
    after: 'build',
  },
  {
    name: 'attw',
    group: 'check',
    command: ['attw', '{package}/toolmend.tgz', '--profile', 'esm-only'],
    after: 'build',
  },
  { name: 'size', group: 'check', command: ['node', 'scripts/size.ts', '--cap'] },
  { name: 'walk', group: 'check', command: ['node', 'scripts/walk.ts'] },
  // All tests again, with every row of every matrix and the full number of texts for every property.
  { name: 'tests-long', group: 'long', command: vitest, env: { TOOLMEND_LONG: '1' }, minutes: 50, count },
  ...[1, 2, 3].map(
    (seed): Step => ({
      name: `collisions-${seed}`,
      group: 'long',
      command: ['node', 'test/fuzz.ts', 'collisions', '200000', String(seed)],
    }),
  ),
  // The tests themselves always use the same seed.
  ...[1, 2, 3, 4, 5, 6].map(
    (seed): Step => ({
      name: `chunks-${seed}`,
      group: 'long',
      command: [...vitest, 'src/dialect/chunks.fuzz.test.ts', '-t', 'in chunks, with and without a dialect'],
      env: { TOOLMEND_LONG: '1', TOOLMEND_SEED: String(seed) },
      count: countSelected,
    }),
  ),
  // The package next to each supported version of the frameworks, from the registry.
  { name: 'frameworks', group: 'long', command: ['node', 'test/packaging/frameworks.ts', '{package}'], after: 'build' },
  // The package in Bun and workerd, from the registry.
  { name: 'runtimes', group: 'long', command: ['node', 'test/packaging/runtimes.ts', '{package}'], after: 'build' },
  { name: 'damage', group: 'long', command: ['node', 'test/damage/report.ts'] },
  { name: 'fuzz', group: 'long', command: ['node', 'test/fuzz.ts', '100000', '20261115'] },
  // Recorded data is not part of the repository. The benchmarks report it if it is missing.
  { name: 'dialects', group: 'long', command: ['node', 'bench/dialects.ts'] },
  { name: 'bfcl', group: 'long', command: ['node', 'bench/bfcl.ts', '--check'] },
  { name: 'accuracy', group: 'long', command: ['node', 'bench/accuracy.ts', '--check'] },
];
