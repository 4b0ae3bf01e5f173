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

const dayOf = (date: string): string => date.slice(0, 10);
const when = ({ date, commit, quick }: BenchRun): string =>
  `${dayOf(date)} at ${commit}${quick ? ', a quick run' : ''}`;

/** When the figures were measured: on one day, or between two, because a benchmark keeps its figures until it is run again. */
function period({ runs, date }: Report): string {
  const days = runs.map((run) => dayOf(run.date)).sort();
  const [first = dayOf(date), last = first] = [days[0], days.at(-1)];
  return first === last ? `on ${first}` : `between ${first} and ${last}`;
}

function summary({ runs, results }: Report): string {
  const rows = runs.map((run) => {
    const { name, status, seconds } = run;
    const result = results.find((one) => one.name === name);
    const met = result?.bars.filter((bar) => bar.met).length ?? 0;
    const bars = result ? `${met} of ${result.bars.length}` : '';
    const title = result ? `[${result.title}](#${slugOf(result.title)})` : name;
    return [title, words[status], bars, `${seconds} s`, when(run)];
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

const section = (
  { title, command, about, tables, bars, charts, versions }: BenchResult,
  run: BenchRun | undefined,
): string[] => [
  `## ${title}`,
  '',
  `\`${command}\`${run ? `, measured on ${when(run)}` : ''}`,
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
  const { machine, runs, results } = report;
  return [
    '# Benchmarks',
    '',
    '`npm run bench` generates this page.',
    '',
    `Measured ${period(report)}: ${machine.cores} cores (${machine.processor}), ${machine.memory} of memory, ${machine.system}, Node ${machine.node}.`,
    'The machine is small and noisy: ratios are more reliable than times. Libraries are measured in alternation, and medians count.',
    'Each benchmark keeps its figures until it is run again. Its row and its section state the day and the commit of its last run.',
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
    ...results.flatMap((result) =>
      section(
        result,
        runs.find(({ name }) => name === result.name),
      ),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}
