import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { resultsFolder } from './bench-result.ts';
import { type BenchRun, runBenchmark } from './run-benchmark.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolmend-bench-'));
const name = 'test-of-the-runner';
afterAll(() => {
  rmSync(folder, { recursive: true });
  rmSync(new URL(`${name}.json`, resultsFolder), { force: true });
});

const writes = (met: boolean): string => `
  import { writeResult } from '${pathToFileURL(join(import.meta.dirname, 'bench-result.ts'))}';
  writeResult({ name: '${name}', title: 'Test', command: 'npm run test', about: 'A test.', tables: [], charts: [], losses: [],
    bars: [{ what: 'a', figure: '1', bar: '2', met: ${met} }], versions: {} });
`;

async function run(code: string): Promise<BenchRun> {
  const file = join(folder, 'bench.ts');
  writeFileSync(file, code);
  return runBenchmark({ name, file }, { quick: false, commit: 'abc', said: () => undefined });
}

it.each([
  ['met', 'a result with every bar met', writes(true)],
  ['missed', 'a result with a bar missed', `${writes(false)} process.exitCode = 1;`],
  ['missed', 'a result and an end that says so', `${writes(true)} process.exitCode = 1;`],
  ['absent', 'no data', `console.error('There is no data'); process.exit(2);`],
  ['broken', 'an error', `throw new Error('It fell');`],
  ['broken', 'no result', ''],
  ['broken', 'a result and an odd end', `${writes(true)} process.exit(9);`],
] as const)('says %s of %s', async (status, _of, code) => {
  expect(await run(code)).toMatchObject({ name, status, commit: 'abc' });
});

it('tells why one broke, and takes no old result for a new one', async () => {
  await run(writes(true));
  expect(await run(`throw new Error('It fell');`)).toMatchObject({ status: 'broken', note: 'Error: It fell' });
});
