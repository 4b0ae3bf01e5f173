/** The report as Markdown: a summary, where we lose, and each benchmark with its tables and bars. */
import { slugOf } from '../scripts/find-links.ts';
import type { BenchBar, BenchResult, BenchTable } from './bench-result.ts';
import type { Machine } from './machine.ts';
import type { BenchRun } from './run-benchmark.ts';

/** All measurements. */
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
  head: ['measurement', 'figure', 'limit', ''],
  rows: bars.map(({ what, figure, bar, met }) => [what, figure, bar, met ? 'met' : '**missed**']),
});

const words: Readonly<Record<BenchRun['status'], string>> = {
  met: 'all limits met',
  missed: '**limits missed**',
  absent: 'input data missing',
  broken: '**failed without a result**',
};

function summary({ runs, results }: Report): string {
  const rows = runs.map(({ name, status, seconds, date, commit, quick }) => {
    const result = results.find((one) => one.name === name);
    const met = result?.bars.filter((bar) => bar.met).length ?? 0;
    const bars = result ? `${met} of ${result.bars.length}` : '';
    const when = `${date.slice(0, 10)} at ${commit}${quick ? ', a quick run' : ''}`;
    return [result ? `[${result.title}](#${slugOf(result.title)})` : name, words[status], bars, `${seconds} s`, when];
  });
  return markdownTable({ head: ['benchmark', 'result', 'limits met', 'duration', 'date and commit'], rows });
}

function losses({ runs, results }: Report): string[] {
  const broken = runs.flatMap(({ name, status, note }) =>
    status === 'broken' ? [`- ${name} failed: ${cell(note ?? 'no output')}`] : [],
  );
  const parts = results.flatMap(({ title, losses: lost, bars }) => {
    const missed = bars
      .filter(({ met }) => !met)
      .map(({ what, figure, bar }) => `- Missed: ${what}: ${figure}; limit: ${bar}`);
    const behind = lost.map((one) => `- ${one}`);
    return missed.length + behind.length === 0 ? [] : [`**${title}**`, '', ...missed, ...behind, ''];
  });
  return broken.length + parts.length === 0
    ? ['Nowhere in these benchmarks.', '']
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
        `Versions: ${Object.entries(versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(', ')}.`,
        '',
      ]
    : []),
];

/** The complete page. */
export function reportPage(report: Report): string {
  const { machine, date, results } = report;
  return [
    '# Benchmarks',
    '',
    '`npm run bench` generates this page.',
    '',
    `Measured on ${date.slice(0, 10)}: ${machine.cores} cores (${machine.processor}), ${machine.memory} of memory, ${machine.system}, Node ${machine.node}.`,
    'The machine is small and noisy: ratios are more reliable than times. Libraries are measured in alternation, and medians count.',
    '',
    '## Summary',
    '',
    summary(report),
    '',
    '## Where Toolmend does worse',
    '',
    'Limits that Toolmend misses, and measurements where another library does better.',
    '',
    ...losses(report),
    ...results.flatMap(section),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
