/** How many passed and failed, with a word on what the numbers hide. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly note?: string;
}

/** The part of vitest's JSON report that is read here. */
interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
}

/** Counts the tests of a vitest JSON report. A test that was skipped or left open has not passed, so it failed. */
export const countTests = (report: string): Count => {
  const { numTotalTests, numPassedTests, numFailedTests } = JSON.parse(report) as Report;
  const failed = numTotalTests - numPassedTests;
  const idle = failed - numFailedTests;
  return { passed: numPassedTests, failed, ...(idle > 0 && { note: `${idle} skipped` }) };
};
