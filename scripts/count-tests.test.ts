import { expect, it } from 'vitest';
import { countTests } from './count-tests.ts';

/** A report of files, each with its own status and those of its tests. */
const report = (...files: [status: string, ...tests: string[]][]): string =>
  JSON.stringify({
    testResults: files.map(([status, ...tests]) => ({
      status,
      assertionResults: tests.map((one) => ({ status: one })),
    })),
  });

it('counts what passed and what failed', () => {
  expect(countTests(report(['passed', 'passed', 'passed'], ['failed', 'passed', 'failed']))).toEqual({
    passed: 3,
    failed: 1,
  });
});

it('counts a skipped test as failed and says so', () => {
  expect(countTests(report(['passed', 'passed', 'pending'], ['passed', 'todo']))).toEqual({
    passed: 1,
    failed: 2,
    note: '2 skipped',
  });
});

it('counts a file that would not load as one failure', () => {
  expect(countTests(report(['failed'], ['passed', 'passed']))).toEqual({ passed: 1, failed: 1 });
});

it('lets tests skip where what they read is not there', () => {
  expect(countTests(report(['passed', 'passed', 'pending']), true)).toEqual({
    passed: 1,
    failed: 0,
    note: '1 skipped',
  });
});
