import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    setupFiles: ['test/seed.ts'],
    // Hundreds of tests start our programs from source; what Node compiled for the first serves the rest.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compile') },
    include: [
      'src/**/*.test.ts',
      'web/**/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'bench/**/*.test.ts',
      'examples/**/*.test.ts',
    ],
    // Some tests start processes or build the package, and CI machines are slow.
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // By default a core is left to nobody, which is half of a small machine.
    maxWorkers: availableParallelism(),
  },
});
