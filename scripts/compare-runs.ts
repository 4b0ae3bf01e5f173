import { relative } from 'node:path';
import type { TestReport } from './security-report.ts';

/** One new test, and what became of it here and on the older source. */
export interface NewTest {
  readonly file: string;
  readonly title: string;
  readonly here: string;
  /** `failed`, `passed`, or `unloadable` where the file does not load there: what it imports did not exist. */
  readonly there: string;
  /** A test whose title, or one around it, begins with `guard:` pins what held before. */
  readonly guard: boolean;
}

/** What a comparison says: which tests show nothing, and which fail today. */
export interface Comparison {
  readonly tests: readonly NewTest[];
  /** New tests that pass on the older source and are no guards. */
  readonly idle: readonly NewTest[];
  /** New tests that do not pass here. */
  readonly broken: readonly NewTest[];
}

/** Tests by file and full title. Titles repeat in some tables, so each holds a list. */
export type TestStates = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads the states of all tests from a report, by path below `root`. A file without tests is there too. */
export function testStates({ testResults }: TestReport, root: string): TestStates {
  const files = new Map<string, Map<string, string[]>>();
  for (const { name, assertionResults } of testResults) {
    const tests = new Map<string, string[]>();
    for (const { ancestorTitles, title, status } of assertionResults) {
      const full = [...ancestorTitles, title].join(' › ');
      tests.set(full, [...(tests.get(full) ?? []), status]);
    }
    files.set(relative(root, name), tests);
  }
  return files;
}

/** Compares the new tests: those whose title the older version of their file does not hold. */
export function compareRuns(here: TestStates, there: TestStates, before: TestStates): Comparison {
  const tests = [...here].flatMap(([file, titles]) => {
    const old = before.get(file);
    const then = there.get(file);
    return [...titles]
      .filter(([title]) => !old?.has(title))
      .map(([title, states]) => ({
        file,
        title,
        here: worst(states),
        there: then?.has(title) ? worst(then.get(title) ?? []) : 'unloadable',
        guard: title.split(' › ').some((part) => part.startsWith('guard:')),
      }));
  });
  return {
    tests,
    idle: tests.filter(({ guard, there: state }) => !guard && state !== 'failed' && state !== 'unloadable'),
    broken: tests.filter(({ here: state }) => state !== 'passed'),
  };
}

const worst = (states: readonly string[]): string => states.find((state) => state !== 'passed') ?? 'passed';

/** A line for each file, then by name what shows nothing or fails. */
export function showComparison({ tests, idle, broken }: Comparison): string {
  const files = [...new Set(tests.map(({ file }) => file))].sort();
  const rows = files.map((file) => {
    const own = tests.filter((one) => one.file === file);
    const count = (keep: (one: NewTest) => boolean): number => own.filter(keep).length;
    const parts = [
      `${own.length} new`,
      `${count(({ there, guard }) => there === 'failed' && !guard)} fail there`,
      `${count(({ there }) => there === 'unloadable')} can't load there`,
      `${count(({ guard, there }) => guard && there !== 'unloadable')} guards`,
    ];
    return `${file}: ${parts.join(', ')}`;
  });
  const list = (title: string, some: readonly NewTest[]): string[] =>
    some.length === 0 ? [] : ['', title, ...some.map(({ file, title: name }) => `- ${file}: ${name}`)];
  return [
    ...rows,
    ...list('These new tests pass on the older source too. Make them fail there, or title them `guard:`.', idle),
    ...list('These new tests do not pass here:', broken),
    '',
    `${tests.length} new tests in ${files.length} files; ${idle.length} pass on the older source; ${broken.length} fail here.`,
  ].join('\n');
}
