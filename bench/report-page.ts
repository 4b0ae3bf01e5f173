/** The report as Markdown: a summary, where we lose, and each benchmark with its tables and bars. */
import { slugOf } from '../scripts/find-links.ts';
import type { BenchBar, BenchResult, BenchTable } from './bench-result.ts';
import type { Machine } from './machine.ts';
import type { BenchRun } from './run-benchmark.ts';

/** Everything that was measured. */
export interface Report {
  readonly machine: Machine;
  readonly date: string;
  readonly runs: readonly BenchRun[];
  readonly results: readonly BenchResult[];
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
const isFigure = (text: string): boolean => text === '' || /^[-+–≤≥]?\s?\d/.test(text);

/** A table as Markdown: columns of figures to the right. */
export function markdownTable({ title, head, rows }: BenchTable): string {
  const lines = head.map((_, at) => (at > 0 && rows.every((one) => isFigure(one[at] ?? '')) ? '---:' : '---'));
  return [...(title ? [`**${title}**`, ''] : []), row(head), `| ${lines.join(' | ')} |`, ...rows.map(row)].join('\n');
}

const barsTable = (bars: readonly BenchBar[]): BenchTable => ({
  head: ['bar', 'figure', 'wanted', ''],
  rows: bars.map(({ what, figure, bar, met }) => [what, figure, bar, met ? 'met' : '**missed**']),
});

const words: Readonly<Record<BenchRun['status'], string>> = {
  met: 'every bar is met',
  missed: '**bars are missed**',
  absent: 'the data it reads is not there',
  broken: '**it broke and measured nothing**',
};

function summary({ runs, results }: Report): string {
  const rows = runs.map(({ name, status, seconds, date, commit, quick }) => {
    const result = results.find((one) => one.name === name);
    const met = result?.bars.filter((bar) => bar.met).length ?? 0;
    const bars = result ? `${met} of ${result.bars.length}` : '';
    const when = `${date.slice(0, 10)} at ${commit}${quick ? ', a quick run' : ''}`;
    return [result ? `[${result.title}](#${slugOf(result.title)})` : name, words[status], bars, `${seconds} s`, when];
  });
  return markdownTable({ head: ['benchmark', 'what came of it', 'bars met', 'took', 'measured'], rows });
}

function losses({ runs, results }: Report): string[] {
  const broken = runs.flatMap(({ name, status, note }) =>
    status === 'broken' ? [`- ${name} broke: ${cell(note ?? 'it said nothing')}`] : [],
  );
  const parts = results.flatMap(({ title, losses: lost, bars }) => {
    const missed = bars
      .filter(({ met }) => !met)
      .map(({ what, figure, bar }) => `- Missed: ${what}: ${figure}; wanted: ${bar}`);
    const behind = lost.map((one) => `- ${one}`);
    return missed.length + behind.length === 0 ? [] : [`**${title}**`, '', ...missed, ...behind, ''];
  });
  return broken.length + parts.length === 0
    ? ['Nowhere that was looked at.', '']
    : [...broken, ...(broken.length > 0 ? [''] : []), ...parts];
}

const section = ({ title, command, about, tables, bars, charts, versions }: BenchResult): string[] => [
  `## ${title}`,
  '',
  `\`${command}\``,
  '',
  about,
  '',
  ...charts.flatMap(({ file, alt }) => [`![${alt}](${file})`, '']),
  ...tables.flatMap((table) => [markdownTable(table), '']),
  ...(bars.length > 0 ? [markdownTable(barsTable(bars)), ''] : []),
  ...(Object.keys(versions).length > 0
    ? [
        `Measured beside: ${Object.entries(versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', ')}.`,
        '',
      ]
    : []),
];

/** The whole page. */
export function reportPage(report: Report): string {
  const { machine, date, results } = report;
  return [
    '# Benchmarks',
    '',
    '`npm run bench` measured this, and wrote this page. Nothing in it was written by hand.',
    '',
    `On ${date.slice(0, 10)}: ${machine.cores} cores (${machine.processor}), ${machine.memory} of memory, ${machine.system}, Node ${machine.node}.`,
    'Such a machine is small and noisy. Contestants take turns in one run, medians count, and ratios say more than times.',
    '',
    '## Summary',
    '',
    summary(report),
    '',
    '## Where we lose',
    '',
    'Bars we set ourselves and miss, and places where a peer does better.',
    '',
    ...losses(report),
    ...results.flatMap(section),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
