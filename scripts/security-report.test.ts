import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { brokenFiles, securityReport, showSecurityReport, type TestReport } from './security-report.ts';
import { openFaults, securityRows } from './security-rows.ts';

const table = [
  ['F1', 'One'],
  ['F2', 'Two'],
  ['F10', 'Ten'],
  ['C1', 'Calls'],
] as const;

/** A report of one file with these tests, each with the titles around it. */
const report = (...tests: [status: string, ...titles: string[]][]): TestReport => ({
  testResults: [
    {
      name: '/project/test/a.test.ts',
      status: tests.some(([status]) => status === 'failed') ? 'failed' : 'passed',
      assertionResults: tests.map(([status, ...titles]) => ({
        ancestorTitles: titles.slice(0, -1),
        title: titles.at(-1) ?? '',
        status,
      })),
    },
  ],
});

const states = (...tests: [string, ...string[]][]): Record<string, string> =>
  Object.fromEntries(securityReport(table, report(...tests), '/project').map(({ row, state }) => [row, state]));

it('finds the tests of a row by their own number, or by that of what they stand in', () => {
  const rows = securityReport(
    table,
    report(['passed', 'F1 a stream', 'ends'], ['passed', 'here', 'F1 too']),
    '/project',
  );
  expect(rows[0]?.tests).toEqual([
    { file: 'test/a.test.ts', title: 'F1 a stream › ends', status: 'passed' },
    { file: 'test/a.test.ts', title: 'here › F1 too', status: 'passed' },
  ]);
});

it('takes a test for every row it begins with, and for none that it mentions later', () => {
  expect(states(['passed', 'F1, F10 and C1 hold (F2)'])).toEqual({
    F1: 'holds',
    F2: 'not shown',
    F10: 'holds',
    C1: 'holds',
  });
});

it('calls a row broken where one test fails, and not shown where none ran', () => {
  expect(states(['passed', 'F1 a'], ['failed', 'F1 b'], ['skipped', 'F2 c'])).toMatchObject({
    F1: 'broken',
    F2: 'not shown',
  });
});

it('finds the files that broke before their tests began', () => {
  const [whole, failing] = [report(['passed', 'F1 a']), report(['failed', 'F1 a'])];
  const broken: TestReport = {
    testResults: report(['skipped', 'F1 a']).testResults.map((one) => ({ ...one, status: 'failed' })),
  };
  expect([whole, failing, broken].map((one) => brokenFiles(one, '/project'))).toEqual([[], [], ['test/a.test.ts']]);
});

it('says it all in Markdown', () => {
  const tests = report(['passed', 'F1 a'], ['passed', 'C1 a'], ['failed', 'C1 b']);
  const text = showSecurityReport(securityReport(table, tests, '/project'));
  expect(text).toContain('4 promises: 1 hold, 1 broken, 2 not shown by any test.');
  expect(text).toContain('| F1 | One | holds | 1 of 1 |');
  expect(text).toContain('## F2\n\nNo test begins with this number.');
  expect(text).toContain('## F1\n\n- `test/a.test.ts`: 1 of 1 passed\n');
  expect(text).toContain('## C1\n\n- `test/a.test.ts`: 1 of 2 passed\n  - failed: C1 b\n');
});

it('has a promise for each number, once', () => {
  const rows = securityRows.map(([row]) => row);
  expect(new Set(rows).size).toBe(rows.length);
});

const faults = join(import.meta.dirname, '../../shared/faults.md');
it.skipIf(!existsSync(faults))('has a promise for every fault there is a row of, or names it as open', () => {
  const numbers = [...readFileSync(faults, 'utf8').matchAll(/^\| (F\d+) \|/gm)].map(([, row]) => row);
  expect(numbers).not.toEqual([]);
  const rows = [...securityRows, ...openFaults].map(([row]) => row);
  expect(numbers.filter((row) => !rows.includes(String(row)))).toEqual([]);
});
