/** The numbers of passed and failed tests, with a remark about what they don't show. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
}

/** The part of vitest's JSON report that is used here. */
interface Report {
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

/**
 * Counts the tests of a vitest JSON report. A skipped or unfinished test counts as failed, unless `maySkip` is set because
 * its data is missing. A file that failed without a failed test (it does not load, its setup throws) is one failure.
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
