import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What stands beside its source, and runs in a minute: `npm run test:unit`. */
const unit = ['src/**/*.test.ts', 'web/**/*.test.ts', 'scripts/**/*.test.ts'];
/** What crosses layers, starts programs or builds the package. */
const whole = ['test/**/*.test.ts', 'bench/**/*.test.ts', 'examples/**/*.test.ts'];
/** What needs a process of its own: absolute CPU times, and a page that no other file must have loaded before it is built. */
const alone = ['src/tools/name-index.test.ts', 'test/web/page.test.ts'];

/** What takes longest, first: a clean clone has no times of an earlier run, and a small file may hold a large suite. */
const longest = [
  'packaging',
  'docs',
  'postgres/outage',
  'postgres/rivals',
  'postgres/killed-workers',
  'entrances/entrances',
  'fuzz',
  'damage/damage.fuzz',
  'dialects/echo-rows',
  'faults-hostile',
  'mcp/life',
  'postgres/crash',
  'run/crash',
  'damage/bfcl-damage',
  'damage/collisions/rules',
  'damage/collisions/collisions.fuzz',
].map((name) => join(import.meta.dirname, `test/${name}.test.ts`));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const at = ({ moduleId }: TestSpecification): number => (longest.indexOf(moduleId) + 1 || longest.length + 1) - 1;
    const whole = sorted.filter(({ project }) => project.name === 'whole').sort((a, b) => at(a) - at(b));
    return [...sorted.filter(({ project }) => project.name !== 'whole'), ...whole];
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/seed.ts'],
    // Hundreds of tests start our programs from source; what Node compiled for the first serves the rest.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    // Loading our sources and the SDKs anew for each file would cost a third of the time. The files of a worker run one after
    // the other in one process, so a test must put back what it changes outside of its own file.
    isolate: false,
    pool: 'forks',
    projects: [
      { extends: true, test: { name: 'unit', include: unit, exclude: alone } },
      { extends: true, test: { name: 'whole', include: whole, exclude: alone } },
      { extends: true, test: { name: 'alone', include: alone, isolate: true } },
    ],
    // Some tests start processes or build the package, and CI machines are slow.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Two more than there are cores: many files wait for programs that they started, for a browser, a database or a timeout.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
  },
});
