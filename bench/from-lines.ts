import type { BenchBar, BenchResult } from './bench-result.ts';
import { barText, figureText, micros, passes, type Result } from './result.ts';

const whatOf = ({ group, name }: Result): string => `${group}: ${name}`;

const barOf = (line: Result): BenchBar => ({
  what: whatOf(line),
  figure: figureText(line),
  bar: barText(line),
  met: passes(line),
});

/** Whether the peer is faster than Toolmend. */
const loses = ({ unit, figure, peer }: Result): boolean =>
  peer !== undefined && ((unit === 'x slower' && figure > 1) || (unit === 'x faster' && figure < 1));

const parseFault = (line: Result): string =>
  `${whatOf(line)}: ${line.peerName ?? 'the peer'} takes ${micros(line.peer ?? 0)}, Toolmend takes ${micros(line.ours)}.`;

/** Converts lines of compared times to a benchmark's result. */
export const fromLines = (lines: readonly Result[]): Pick<BenchResult, 'tables' | 'bars' | 'losses'> => ({
  tables: [
    {
      head: ['what', 'ours', 'peer', 'which peer', 'figure', 'bar', ''],
      rows: lines.map((line) => [
        whatOf(line),
        line.ours === 0 ? '' : micros(line.ours),
        line.peer === undefined ? '' : micros(line.peer),
        line.peerName ?? '',
        figureText(line),
        line.bar === undefined ? '' : `${barText(line)}${passes(line) ? '' : ': **missed**'}`,
        line.note ?? '',
      ]),
    },
  ],
  bars: lines.filter(({ bar }) => bar !== undefined).map(barOf),
  losses: lines.filter(loses).map(parseFault),
});
