import { existsSync } from 'node:fs';
import { type Count, countTests } from './count-tests.ts';

/** One thing that must hold. A step counts as one, unless `count` reads more from the report it wrote. */
export interface Step {
  readonly name: string;
  /** `long` steps run only where they are named: `npm run test:long`. */
  readonly group: 'check' | 'test' | 'long';
  /** The program, found in `node_modules/.bin` first, and its arguments; `{report}` is a file of the step's own. */
  readonly command: readonly [string, ...string[]];
  readonly count?: (report: string) => Count;
}

/** Everything a clean clone must pass, in this order: what the package checks look at is built before them. */
export const steps: readonly Step[] = [
  { name: 'types', group: 'check', command: ['tsc', '-p', '.'] },
  { name: 'types-web', group: 'check', command: ['tsc', '-p', 'web'] },
  { name: 'lint', group: 'check', command: ['biome', 'ci', '--error-on-warnings', '--colors=off', '.'] },
  { name: 'layers', group: 'check', command: ['depcruise', '--config', '.dependency-cruiser.mjs', 'src', 'web'] },
  { name: 'build', group: 'check', command: ['node', 'scripts/build.ts'] },
  { name: 'publint', group: 'check', command: ['publint', 'run', '--strict', '--pack', 'npm'] },
  { name: 'attw', group: 'check', command: ['attw', '--pack', '.', '--profile', 'esm-only'] },
  { name: 'size', group: 'check', command: ['node', 'scripts/size.ts', '--cap'] },
  {
    name: 'tests',
    group: 'test',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', '--outputFile.json={report}'],
    // Tests on recorded data skip where the data is not there, and only there.
    count: (report) => countTests(report, !existsSync('../shared')),
  },
  ...[1, 2, 3].map(
    (seed): Step => ({
      name: `collisions-${seed}`,
      group: 'long',
      command: ['node', 'test/fuzz.ts', 'collisions', '200000', String(seed)],
    }),
  ),
  { name: 'damage', group: 'long', command: ['node', 'test/damage/report.ts'] },
  { name: 'fuzz', group: 'long', command: ['node', 'test/fuzz.ts', '100000', '20261115'] },
  // What was recorded is not part of the repository; the benchmarks say so where it is absent.
  { name: 'dialects', group: 'long', command: ['node', 'bench/dialects.ts'] },
  { name: 'bfcl', group: 'long', command: ['node', 'bench/bfcl.ts'] },
  { name: 'accuracy', group: 'long', command: ['node', 'bench/accuracy.ts'] },
];
