/** The results of one contestant over all cases, as counts. */
export interface AccuracyBar {
  readonly name: string;
  readonly recovered: number;
  /** Refused correctly: there was no certain reading, or a refusal is acceptable. */
  readonly rightly: number;
  /** Refused, although there was one reading. */
  readonly missed: number;
  readonly wrong: number;
}

const parts = [
  { key: 'recovered', at: 0, words: 'recovered', colour: '#2a9d6f' },
  { key: 'rightly', at: 110, words: 'correctly refused', colour: '#2f7fb8' },
  { key: 'missed', at: 240, words: 'wrongly refused', colour: '#8d99ae' },
  { key: 'wrong', at: 425, words: 'silently wrong', colour: '#d1495b' },
] as const;

const [row, top, left, wide] = [26, 50, 220, 520];

const rowOf = (bar: AccuracyBar, index: number): string => {
  const y = top + index * row;
  const whole = parts.reduce((sum, { key }) => sum + bar[key], 0);
  let from = left;
  const boxes = parts.map(({ key, colour }) => {
    const width = (bar[key] / whole) * wide;
    const box = `<rect x="${from.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="16" fill="${colour}"/>`;
    from += width;
    return box;
  });
  return [
    `<text x="${left - 10}" y="${y + 12}" text-anchor="end">${bar.name}</text>`,
    ...boxes,
    `<text x="${left + wide + 10}" y="${y + 12}">${bar.wrong} wrong</text>`,
  ].join('\n  ');
};

/** A bar for each contestant, all of the same length. Readable on light and dark pages. */
export function accuracyChart(bars: readonly AccuracyBar[]): string {
  const height = top + bars.length * row + 4;
  const width = left + wide + 90;
  const legend = parts.map(
    ({ at, words, colour }) =>
      `<rect x="${left + at}" y="14" width="11" height="11" rx="2" fill="${colour}"/><text x="${left + 16 + at}" y="24" font-size="11">${words}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Results of each library for the same damaged calls: recovered, correctly refused, wrongly refused, silently wrong" font-family="system-ui, sans-serif" font-size="12" fill="#808890">
  ${legend.join('\n  ')}
  ${bars.map(rowOf).join('\n  ')}
</svg>
`;
}
