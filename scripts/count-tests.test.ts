import { expect, it } from 'vitest';
import { countTests } from './count-tests.ts';

const report = (total: number, passed: number, failed: number): string =>
  JSON.stringify({ numTotalTests: total, numPassedTests: passed, numFailedTests: failed });

it('counts what passed and what failed', () => {
  expect(countTests(report(5, 3, 2))).toEqual({ passed: 3, failed: 2 });
});

it('counts a skipped test as failed and says so', () => {
  expect(countTests(report(5, 4, 0))).toEqual({ passed: 4, failed: 1, note: '1 skipped' });
});
