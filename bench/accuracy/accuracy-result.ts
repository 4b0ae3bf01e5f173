import type { BenchBar, BenchResult } from '../bench-result.ts';
import type { Peers } from '../install-peers.ts';
import { versionsOf } from '../versions-of.ts';
import { type AccuracyBar, accuracyChart } from './accuracy-chart.ts';
import { count, percent, silentlyWrong } from './count.ts';
import { examplesTable } from './examples.ts';
import type { Judged } from './judged.ts';
import { lossesOf } from './losses.ts';
import type { OrdinaryResults } from './ordinary/ordinary-table.ts';
import type { RecordedResults } from './recorded-table.ts';
import type { Case } from './sample.ts';
import type { StructuredResults } from './structured/structured-table.ts';
import { familyTables, summaryTable, usageTable } from './tables.ts';

/** The measurements. */
export interface Measured {
  /** Ours first: with its defaults, then with every tool accepting inferred repairs. */
  readonly all: readonly Judged[];
  readonly cases: readonly Case[];
  readonly peers: Peers;
  readonly recorded: RecordedResults | undefined;
  readonly ordinary: OrdinaryResults;
  readonly structured: StructuredResults;
  readonly missing: readonly string[];
}

/** The share of cases with one reading that must be recovered, in percent. */
const wanted = 99;

/** Converts the measurements to the format of the report. */
export function accuracyResult(measured: Measured): BenchResult {
  const { all, cases, peers, recorded, ordinary, structured, missing } = measured;
  const [ours, willing, ...others] = all;
  if (!ours || !willing) throw new Error('Toolmend itself did not take part');
  // Packages that the benchmark installed were used from its folder.
  const used = all.flatMap(({ contestant }) => contestant.packages);
  const packages = [...new Set([...used, ...ordinary.packages, ...structured.packages])];
  const own = versionsOf(...packages.filter((name) => !(name in peers.versions)));
  const versions = Object.fromEntries(packages.map((name) => [name, peers.versions[name] ?? own[name] ?? '']));
  return {
    name: 'accuracy',
    title: 'Mending accuracy',
    command: 'npm run bench:accuracy',
    about: `${cases.length} damaged calls of ${new Set(cases.map(({ kind }) => kind)).size} kinds, the same for every library. The result is the arguments that the tool ran with: the intended ones, none, or others. Other libraries are used as a careful user would. We wrote the damage table ourselves: see [the limits](accuracy.md#limits-of-the-test-data).`,
    tables: [
      summaryTable(all, cases),
      usageTable(all, versions),
      ...familyTables(all, cases),
      { title: 'Ten examples', ...examplesTable(all, willing, cases) },
      ...(recorded ? [recorded.table] : []),
      ordinary.table,
      ...structured.tables,
    ],
    bars: [...barsOf(ours, willing, others, cases), ordinary.bar, ...structured.bars],
    charts: [
      {
        file: 'accuracy.svg',
        alt: 'A bar for each library: recovered, correctly refused, wrongly refused, silently wrong',
        svg: accuracyChart(all.map((judged) => chartBar(judged, cases))),
      },
    ],
    losses: [
      ...lossesIn(ours, willing, others, cases),
      ...(recorded?.losses ?? []),
      ...missing.map((one) => `Not measured: ${one}`),
    ],
    versions,
  };
}

function barsOf(ours: Judged, willing: Judged, others: readonly Judged[], cases: readonly Case[]): BenchBar[] {
  const share = (judged: Judged): number => {
    const { of, given } = count(judged, cases);
    return (100 * given.one.recovered) / of.one;
  };
  const most = Math.max(...others.map(share));
  const wrong = [ours, willing].map((judged) => silentlyWrong(count(judged, cases)));
  return [
    {
      what: 'recovered calls with one reading, if every tool accepts inferred repairs',
      figure: percent(share(willing), 100),
      bar: `at least ${wanted} %`,
      met: share(willing) >= wanted,
    },
    {
      what: 'recovered calls with one reading, with the defaults',
      figure: percent(share(ours), 100),
      bar: `more than any other library (${percent(most, 100)})`,
      met: share(ours) > most,
    },
    { what: 'silently wrong', figure: wrong.join(' and '), bar: '0', met: wrong.every((some) => some === 0) },
  ];
}

function lossesIn(ours: Judged, willing: Judged, others: readonly Judged[], cases: readonly Case[]): string[] {
  const byRule = cases.filter(
    (_, index) =>
      ours.results[index]?.verdict === 'refused' &&
      willing.results[index]?.verdict === 'recovered' &&
      others.some((peer) => peer.results[index]?.verdict === 'recovered'),
  ).length;
  const { families, kinds } = lossesOf(willing, others, cases);
  return [
    ...lossesOf(ours, others, cases).families,
    `Destructive tools accept only repairs of notation by default. Without \`minCertainty: 'inferred'\`, ${byRule} calls that another library recovered are refused`,
    ...families,
    ...kinds.map((one) => `Refused by Toolmend, recovered by others: ${one}`),
  ];
}

const chartBar = (judged: Judged, cases: readonly Case[]): AccuracyBar => {
  const counts = count(judged, cases);
  const { one, none, either } = counts.given;
  return {
    name: judged.contestant.name.replaceAll('`', ''),
    recovered: one.recovered + either.recovered,
    rightly: none.refused + either.refused,
    missed: one.refused,
    wrong: silentlyWrong(counts),
  };
};
