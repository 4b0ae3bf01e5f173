import { relative } from 'node:path';

/** The part of a vitest JSON report that is used here. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    /** Why the file could not be loaded. */
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** A row with its tests. It holds if one of them passed and none failed. */
export interface ShownRow {
  readonly row: string;
  readonly promise: string;
  readonly state: 'holds' | 'broken' | 'not shown';
  readonly tests: readonly { readonly file: string; readonly title: string; readonly status: string }[];
}

const leading = /^(?:[A-Z]\d+(?:\.\d+)?(?:, *| and | +|$))+/;

/** The rows that a test is for: its title, or one around it, starts with their numbers. */
const rowsOf = (titles: readonly string[]): string[] =>
  titles.flatMap((title) => leading.exec(title)?.[0].match(/[A-Z]\d+(?:\.\d+)?/g) ?? []);

/** Finds the tests of each row in a report. */
export const securityReport = (
  table: readonly (readonly [row: string, promise: string])[],
  { testResults }: TestReport,
  root: string,
): ShownRow[] => {
  const all = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => {
      const titles = [...ancestorTitles, title];
      return { rows: rowsOf(titles), test: { file: relative(root, name), title: titles.join(' › '), status } };
    }),
  );
  return table.map(([row, promise]) => {
    const tests = all.filter(({ rows }) => rows.includes(row)).map(({ test }) => test);
    const passed = tests.some(({ status }) => status === 'passed');
    const broken = tests.some(({ status }) => status === 'failed');
    return { row, promise, state: broken ? 'broken' : passed ? 'holds' : 'not shown', tests };
  });
};

/** The files that failed before their tests started, so that no failed test shows it. */
export const brokenFiles = ({ testResults }: TestReport, root: string): string[] =>
  testResults
    .filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.every((one) => one.status !== 'failed'),
    )
    .map(({ name }) => relative(root, name));

/** The report as a Markdown page: a table of the rows, then the test files of each row, and the names of tests that did not pass. */
export const showSecurityReport = (rows: readonly ShownRow[]): string => {
  const count = (state: ShownRow['state']): number => rows.filter((one) => one.state === state).length;
  const summary = `${count('holds')} hold, ${count('broken')} broken, ${count('not shown')} not shown by any test`;
  const lines = rows.map(({ row, promise, state, tests }) => {
    const passed = tests.filter(({ status }) => status === 'passed').length;
    return `| ${row} | ${promise} | ${state} | ${passed} of ${tests.length} |`;
  });
  const details = rows.flatMap(({ row, tests }) => [
    ['', `## ${row}`, ''],
    tests.length === 0 ? ['No test begins with this number.'] : showTests(tests),
  ]);
  return [
    '# Security report',
    '',
    `${rows.length} promises: ${summary}.`,
    '',
    '| row | promise | state | tests passed |',
    '| --- | --- | --- | --- |',
    ...lines,
    ...details.flat(),
    '',
  ].join('\n');
};

const showTests = (tests: ShownRow['tests']): string[] =>
  [...Map.groupBy(tests, ({ file }) => file)].flatMap(([file, own]) => {
    const others = own.filter(({ status }) => status !== 'passed');
    return [
      `- \`${file}\`: ${own.length - others.length} of ${own.length} passed`,
      ...others.map(({ title, status }) => `  - ${status}: ${title}`),
    ];
  });
