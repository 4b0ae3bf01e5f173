/** One line of the benchmark: what was measured, what it is compared with, and the bar it must pass. */
export interface Result {
  readonly group: string;
  readonly name: string;
  /** Microseconds of Toolmend. */
  readonly ours: number;
  /** The peer's microseconds, where there is a peer. */
  readonly peer?: number;
  readonly peerName?: string;
  /** What the bar is about: a ratio or microseconds. */
  readonly figure: number;
  readonly unit: 'x slower' | 'x faster' | 'x as long' | 'µs' | 'bytes per run';
  /** The bar; absent if the line is only informative. */
  readonly bar?: { readonly most: number } | { readonly least: number };
  readonly note?: string;
}

/** Whether a result passes its bar. */
export const passes = ({ bar, figure }: Result): boolean =>
  bar === undefined || ('most' in bar ? figure <= bar.most : figure >= bar.least);

/** A time in the unit that suits it. */
export const micros = (value: number): string =>
  value >= 1e6
    ? `${(value / 1e6).toFixed(2)} s`
    : value >= 1000
      ? `${(value / 1000).toFixed(2)} ms`
      : `${value.toFixed(2)} µs`;

/** The figure of a line, with its unit. */
export const figureText = ({ figure, unit }: Result): string =>
  unit === 'µs' ? micros(figure) : `${figure >= 100 ? Math.round(figure) : figure.toFixed(2)} ${unit}`;
/** The bar of a line, with its unit. */
export const barText = ({ bar, unit }: Result): string =>
  bar === undefined ? '' : `${'most' in bar ? '≤ ' : '≥ '}${'most' in bar ? bar.most : bar.least} ${unit}`;

/** The results as a table of text. */
export const tableOf = (results: readonly Result[]): string => {
  const rows = results.map((result) => [
    result.group,
    result.name,
    micros(result.ours),
    result.peer === undefined ? '' : micros(result.peer),
    figureText(result),
    barText(result),
    result.bar === undefined ? '' : passes(result) ? 'ok' : 'MISSED',
    result.note ?? (result.peerName ? `against ${result.peerName}` : ''),
  ]);
  const head = ['', 'what', 'ours', 'peer', 'figure', 'bar', '', ''];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => (at >= 2 && at <= 4 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)].join('\n');
};
