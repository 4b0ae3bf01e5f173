/** A series of the chart: its words in the legend, and its colour. */
export interface BarSeries {
  readonly words: string;
  readonly colour: string;
}

/** A chart of shares in percent: a group of bars for each row, one bar for each series. */
export interface GroupedBars {
  /** What is shown, for readers without the picture, and above the bars. */
  readonly label: string;
  readonly title: string;
  readonly series: readonly BarSeries[];
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Colours of results without Toolmend, with it, and with a further option. */
export const barColours = { without: '#8d99ae', with: '#2a9d6f', option: '#2f7fb8' } as const;

const [top, left, wide, step] = [58, 240, 460, 13];

/** The chart as SVG. Readable on light and dark pages. */
export function groupedBars({ label, title, series, rows }: GroupedBars): string {
  const row = series.length * step + step;
  const height = top + rows.length * row;
  const width = left + wide + 60;
  const legend = series.map(
    ({ words, colour }, at) =>
      `<rect x="${left + at * 155}" y="14" width="11" height="11" rx="2" fill="${colour}"/><text x="${left + 17 + at * 155}" y="24">${words}</text>`,
  );
  const groups = rows.map(({ name, values }, index) => {
    const y = top + index * row;
    const bars = series.map(({ colour }, at) => {
      const share = values[at] ?? 0;
      const length = (share / 100) * wide;
      const from = y + at * step;
      return `<rect x="${left}" y="${from}" width="${length.toFixed(1)}" height="11" rx="2" fill="${colour}"/><text x="${(left + length + 6).toFixed(1)}" y="${from + 10}" font-size="11">${share.toFixed(1)}</text>`;
    });
    const middle = y + (series.length * step) / 2 + 3.5;
    return [`<text x="${left - 12}" y="${middle}" text-anchor="end">${name}</text>`, ...bars].join('\n  ');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${label}" font-family="system-ui, sans-serif" font-size="12" fill="#808890">
  ${legend.join('\n  ')}
  <text x="${left}" y="46">${title}</text>
  ${groups.join('\n  ')}
</svg>
`;
}
