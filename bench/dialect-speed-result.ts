import type { BenchBar, BenchTable } from './bench-result.ts';
import { type Line, speedBars } from './dialect-speed.ts';

/** The slowest line of each measure compared with its bar, and all lines as a table. */
export function speedResult(lines: readonly Line[]): {
  readonly table: BenchTable;
  readonly bars: readonly BenchBar[];
} {
  const missed = (which: string): number => lines.filter((line) => line.missed.includes(which)).length;
  const growth = Math.max(...lines.map((line) => line.growth));
  const pieces = Math.max(...lines.flatMap((line) => line.pieces));
  const counted = (which: string): string => `${missed(which)} of ${lines.length} lines over the limit`;
  return {
    table: {
      title: 'Parsing speed',
      head: [
        'dialect',
        'text',
        'MB/s',
        '1 MB compared with 64 KB',
        'single characters, without passing them on, compared with the complete text',
        'ns per character',
        'missed',
      ],
      rows: lines.map(({ dialect, text, speed, growth: grown, pieces: cut, single, missed: bars }) => [
        dialect,
        text,
        speed.toFixed(1),
        `${grown.toFixed(1)} x`,
        `${(cut.at(-1) ?? 0).toFixed(1)} x`,
        single.toFixed(0),
        bars.join(', '),
      ]),
    },
    bars: [
      {
        what: '1 MB compared with 64 KB, steepest',
        figure: `${growth.toFixed(1)} x`,
        bar: `at most ${speedBars.growth} x (${counted('growth')})`,
        met: missed('growth') === 0,
      },
      {
        what: 'in chunks, without passing them on, compared with complete, slowest',
        figure: `${pieces.toFixed(1)} x`,
        bar: `at most ${speedBars.pieces} x (${counted('pieces')})`,
        met: missed('pieces') === 0,
      },
      {
        what: 'plain text, lines below the minimum speed',
        figure: String(missed('speed')),
        bar: `none under ${speedBars.speed} MB/s`,
        met: missed('speed') === 0,
      },
    ],
  };
}
