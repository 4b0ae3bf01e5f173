import type { BenchTable } from '../bench-result.ts';
import { count, percent, silentlyWrong } from './count.ts';
import type { Judged } from './judged.ts';
import type { Case } from './sample.ts';
import type { Readings } from './verdict.ts';

const casesOf = (cases: readonly Case[], readings: Readings): number =>
  cases.filter(({ meant }) => meant.readings === readings).length;

/** A line for each contestant. */
export const summaryTable = (all: readonly Judged[], cases: readonly Case[]): BenchTable => ({
  head: [
    'library',
    `recovered, of ${casesOf(cases, 'one')} with one reading`,
    `recovered, of ${casesOf(cases, 'either')} that are optional`,
    `refused, of ${casesOf(cases, 'none')} without a certain reading`,
    'silently wrong',
    'of these, correct by chance',
    'left out',
  ],
  rows: all.map((judged) => {
    const counts = count(judged, cases);
    const { of, given } = counts;
    return [
      judged.contestant.name,
      percent(given.one.recovered, of.one),
      percent(given.either.recovered, of.either),
      percent(given.none.refused, of.none),
      String(silentlyWrong(counts)),
      String(given.none.lucky),
      String(Object.values(judged.leftOut).reduce((sum, some) => sum + some, 0)),
    ];
  }),
});

const familiesOf = (cases: readonly Case[]): string[] => [...new Set(cases.map(({ family }) => family))];

/** The recovered share of cases with one reading, by family, and the calls that ran wrongly. */
export const familyTables = (all: readonly Judged[], cases: readonly Case[]): BenchTable[] => {
  const table = (title: string, cell: (judged: Judged, family: string) => string): BenchTable => ({
    title,
    head: ['damage', ...all.map(({ contestant }) => contestant.name)],
    rows: familiesOf(cases).map((family) => [family, ...all.map((judged) => cell(judged, family))]),
  });
  const within = (judged: Judged, family: string) => count(judged, cases, (one) => one.family === family);
  return [
    table('Recovered calls with one reading, by kind of damage', (judged, family) => {
      const { of, given } = within(judged, family);
      return percent(given.one.recovered, of.one);
    }),
    table('Silently wrong calls, by kind of damage', (judged, family) => String(silentlyWrong(within(judged, family)))),
  ];
};

/** How each contestant was used. */
export const usageTable = (all: readonly Judged[], versions: Readonly<Record<string, string>>): BenchTable => ({
  head: ['library', 'packages', 'used as'],
  rows: all.map(({ contestant: { name, how, packages } }) => [
    name,
    packages.map((one) => `${one} ${versions[one] ?? ''}`).join(', ') || 'this one',
    how,
  ]),
});
