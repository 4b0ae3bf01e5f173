import { relative } from 'node:path';
import type { TestReport } from './security-report.ts';

/** A new test, and its results here and on the older source. */
export interface NewTest {
  readonly file: string;
  readonly title: string;
  readonly here: string;
  /**
   * `failed`, `passed`, `absent` if it uses what did not exist there (its table may also list values of the source, such as
   * dialects, that were not there yet), `hung` if it never ends there, `unloadable` if its file does not load there.
   */
  readonly there: string;
  /** Whether its title, or one around it, starts with `guard:`: it pins behaviour that is older. */
  readonly guard: boolean;
  /** Whether its file checks the repository of today (`repositoryChecks`), so that the older source proves nothing. */
  readonly repository: boolean;
}

/** Test files that check the texts and the layout of the repository, not what the source does, and what they read. */
export const repositoryChecks: Readonly<Record<string, string>> = {
  'test/claims.test.ts': 'the figures in the docs, against the files that measured them',
  'test/docs.test.ts': 'the examples, links and commands in the docs, titled by where they stand',
  'test/layers.test.ts': 'which folder of the source imports which',
  'test/requirements.test.ts': 'which test names which requirement',
  'test/surface.test.ts': 'the lists of exports and of types, against the files that pin them',
};

/** The result of a comparison: which tests prove nothing, and which fail now. */
export interface Comparison {
  readonly tests: readonly NewTest[];
  /** New tests that pass on the older source and aren't guards. */
  readonly idle: readonly NewTest[];
  /** New tests that do not pass here. */
  readonly broken: readonly NewTest[];
}

/** Tests by file and full title, as `vitest list` joins it. Titles repeat in some tables, so each has a list. */
export type TestStates = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** The error message if a test uses what the older source did not have. */
export const absence = 'did not exist in the older source';

/** The title that represents the tests of a file that did not load. */
export const whole = '(the whole file)';

const stateOf = (status: string, messages: readonly string[]): string =>
  messages.some((message) => message.includes(absence)) ? 'absent' : status;

/** Reads the states of all tests from a report, by path below `root`. */
export function testStates({ testResults }: TestReport, root: string): TestStates {
  const files = new Map<string, Map<string, string[]>>();
  for (const { name, message = '', assertionResults } of testResults) {
    const tests = new Map<string, string[]>();
    for (const { ancestorTitles, title, status, failureMessages = [] } of assertionResults) {
      const full = [...ancestorTitles, title].join(' > ');
      // A hook that fails skips the tests of its file.
      const state =
        status === 'skipped' && message !== '' ? stateOf('failed', [message]) : stateOf(status, failureMessages);
      tests.set(full, [...(tests.get(full) ?? []), state]);
    }
    if (tests.size === 0) tests.set(whole, [stateOf('unloadable', [message])]);
    files.set(relative(root, name), tests);
  }
  return files;
}

/** Compares the new tests: those whose title is missing from the older version of their file (`before`). */
export function compareRuns(
  here: TestStates,
  there: TestStates,
  before: ReadonlyMap<string, { has(title: string): boolean }>,
): Comparison {
  const tests = [...here].flatMap(([file, titles]) => {
    const old = before.get(file);
    const then = there.get(file);
    const missing = then?.get(whole) ?? [then === undefined || then.size === 0 ? 'unloadable' : 'absent'];
    return [...titles]
      .filter(([title]) => !old?.has(title))
      .map(([title, states]) => ({
        file,
        title,
        here: worst(states),
        there: worst(then?.get(title) ?? missing),
        guard: isGuard(title),
        repository: Object.hasOwn(repositoryChecks, file),
      }));
  });
  return {
    tests,
    idle: tests.filter((one) => isShown(one) && (one.there === 'passed' || one.there === 'skipped')),
    broken: tests.filter(({ here: state }) => state !== 'passed'),
  };
}

/** Whether the title of a test, or one around it, starts with `guard:`. */
export const isGuard = (title: string): boolean => title.split(' > ').some((part) => part.startsWith('guard:'));

/** Whether the older source has to show that a test can fail. */
const isShown = ({ guard, repository }: NewTest): boolean => !guard && !repository;

const worst = (states: readonly string[]): string => states.find((state) => state !== 'passed') ?? 'passed';

/** The number of tests by result. Each counts once. */
export function countsOf(tests: readonly NewTest[]): Record<string, number> {
  const count = (keep: (one: NewTest) => boolean): number => tests.filter(keep).length;
  const bites = (state: string) => (one: NewTest) => isShown(one) && one.there === state;
  return {
    new: tests.length,
    'fail there': count(bites('failed')),
    'never end there': count(bites('hung')),
    'use what did not exist': count(bites('absent')),
    "can't load there": count(bites('unloadable')),
    guards: count(({ guard, repository }) => guard && !repository),
    'check the repository': count(({ repository }) => repository),
    'pass there': count((one) => bites('passed')(one) || bites('skipped')(one)),
    'fail here': count(({ here }) => here !== 'passed'),
  };
}

/** A line for each file, then the names of the tests that prove nothing or fail. */
export function showComparison({ tests, idle, broken }: Comparison): string {
  const files = [...new Set(tests.map(({ file }) => file))].sort();
  const rows = files.map((file) => {
    const own = tests.filter((one) => one.file === file);
    const counts = countsOf(own);
    const parts = Object.entries(counts).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []));
    return `${file}: ${parts.join(', ')}`;
  });
  const list = (title: string, some: readonly NewTest[]): string[] =>
    some.length === 0 ? [] : ['', title, ...some.map(({ file, title: name }) => `- ${file}: ${name}`)];
  return [
    ...rows,
    ...list('These new tests pass on the older source too. Make them fail there, or title them `guard:`.', idle),
    ...list('These new tests do not pass here:', broken),
    '',
    `${files.length} files: ${Object.entries(countsOf(tests))
      .map(([word, count]) => `${count} ${word}`)
      .join(', ')}.`,
  ].join('\n');
}
