import { expect, it } from 'vitest';
import { absence, compareRuns, showComparison, testStates } from './compare-runs.ts';

const report = (tests: Readonly<Record<string, string>>, name = '/repo/a.test.ts') => ({
  testResults: [
    {
      name,
      status: 'passed',
      assertionResults: Object.entries(tests).map(([title, status]) => {
        const titles = title.split(' > ');
        return { ancestorTitles: titles.slice(0, -1), title: titles.at(-1) ?? '', status };
      }),
    },
  ],
});
const states = (tests: Readonly<Record<string, string>>) => testStates(report(tests), '/repo');

it('takes a test that fails on the older source as shown, and one that passes there as idle', () => {
  const found = compareRuns(
    states({ old: 'passed', bites: 'passed', idle: 'passed' }),
    states({ old: 'passed', bites: 'failed', idle: 'passed' }),
    states({ old: 'passed' }),
  );
  expect(found.tests.map(({ title }) => title)).toEqual(['bites', 'idle']);
  expect(found.idle.map(({ title }) => title)).toEqual(['idle']);
  expect(found.broken).toEqual([]);
});

it('lets guards pass on the older source', () => {
  const found = compareRuns(
    states({ 'guard: look-alikes > one': 'passed' }),
    states({ 'guard: look-alikes > one': 'passed' }),
    states({}),
  );
  expect(found.idle).toEqual([]);
  expect(showComparison(found)).toContain('1 guards');
});

it('counts a file that does not load there apart, and a test that fails here as broken', () => {
  const found = compareRuns(states({ one: 'failed' }), states({}), states({}));
  expect(found.tests[0]?.there).toBe('unloadable');
  expect(found.broken).toHaveLength(1);
  expect(showComparison(found)).toContain("1 can't load there");
});

it('takes a row that a table did not have there as one that uses what did not exist', () => {
  const found = compareRuns(
    states({ old: 'passed', row: 'passed' }),
    states({ old: 'passed' }),
    states({ old: 'passed' }),
  );
  expect(found.tests.map(({ there }) => there)).toEqual(['absent']);
});

it('counts the checks of the repository apart', () => {
  const file = '/repo/test/docs.test.ts';
  const own = testStates(report({ one: 'passed', 'guard: two': 'passed' }, file), '/repo');
  const found = compareRuns(own, own, new Map());
  expect(found.idle).toEqual([]);
  expect(showComparison(found)).toContain('2 new, 2 check the repository');
});

it('tells a test that uses what did not exist from one that fails', () => {
  const told = (message: string) =>
    testStates(
      {
        testResults: [
          {
            name: '/repo/a.test.ts',
            status: 'failed',
            assertionResults: [
              { ancestorTitles: [], title: 'one', status: 'failed', failureMessages: [`Error: f ${message}`] },
            ],
          },
          { name: '/repo/b.test.ts', status: 'failed', message: `Error: f ${message}`, assertionResults: [] },
        ],
      },
      '/repo',
    );
  const here = new Map([...states({ one: 'passed' }), ['b.test.ts', new Map([['two', ['passed']]])]]);
  const [one, two] = compareRuns(here, told(absence), new Map()).tests;
  expect([one?.there, two?.there]).toEqual(['absent', 'absent']);
  const [other, third] = compareRuns(here, told('expected 1 to be 2'), new Map()).tests;
  expect([other?.there, third?.there]).toEqual(['failed', 'unloadable']);
});

it('takes the worst of tests that share a title', () => {
  const twice = {
    testResults: [
      {
        name: '/repo/a.test.ts',
        status: 'failed',
        assertionResults: [
          { ancestorTitles: [], title: 'row', status: 'passed' },
          { ancestorTitles: [], title: 'row', status: 'failed' },
        ],
      },
    ],
  };
  expect(compareRuns(states({ row: 'passed' }), testStates(twice, '/repo'), states({})).idle).toEqual([]);
});

it('takes tests that a failing hook skips as failed, or as using what did not exist', () => {
  const skipped = { ancestorTitles: [], title: 'one', status: 'skipped' };
  const told = (message: string) =>
    testStates(
      { testResults: [{ name: '/repo/a.test.ts', status: 'failed', message, assertionResults: [skipped] }] },
      '/repo',
    )
      .get('a.test.ts')
      ?.get('one');
  expect([told('Error: f broke'), told(`Error: f ${absence}`), told('')]).toEqual([
    ['failed'],
    ['absent'],
    ['skipped'],
  ]);
});
