/** How many passed and failed, with a word on what the numbers hide. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts the tests of a vitest JSON report. A test that was skipped or left open has not passed, so it failed, unless
 * `maySkip` says that what it reads is not to be had here; a file that failed without a failed test (it would not load,
 * its setup threw) counts as one failure.
 */
export const countTests = (report: string, maySkip = false): Count => {
  const { testResults } = JSON.parse(report) as Report;
  const tests = testResults.flatMap((file) => file.assertionResults.map((test) => test.status));
  const count = (status: string): number => tests.filter((one) => one === status).length;
  const passed = count('passed');
  const idle = tests.length - passed - count('failed');
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = count('failed') + broken + (maySkip ? 0 : idle);
  return { passed, failed, ...(idle > 0 && { note: `${idle} skipped` }) };
};
