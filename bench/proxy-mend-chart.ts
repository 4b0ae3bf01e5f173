/** The share of calls of a group that reach the client as intended, in percent. */
export interface GroupShare {
  readonly group: string;
  readonly trials: number;
  readonly direct: number;
  readonly proxy: number;
  readonly retries: number;
}

const [row, top, left, wide] = [52, 58, 240, 460];
const ways = [
  { key: 'direct', words: 'without the proxy', colour: '#8d99ae' },
  { key: 'proxy', words: 'through the proxy', colour: '#2a9d6f' },
  { key: 'retries', words: 'with --retries 1', colour: '#2f7fb8' },
] as const;

const rowOf = (share: GroupShare, index: number): string => {
  const y = top + index * row;
  const bars = ways.map(({ key, colour }, at) => {
    const width = (share[key] / 100) * wide;
    const from = y + at * 13;
    return `<rect x="${left}" y="${from}" width="${width.toFixed(1)}" height="11" rx="2" fill="${colour}"/><text x="${(left + width + 6).toFixed(1)}" y="${from + 10}" font-size="11">${share[key].toFixed(1)}</text>`;
  });
  return [`<text x="${left - 12}" y="${y + 23}" text-anchor="end">${share.group}</text>`, ...bars].join('\n  ');
};

/** Three bars a group. Readable on light and dark pages. */
export function proxyMendChart(shares: readonly GroupShare[]): string {
  const height = top + shares.length * row;
  const width = left + wide + 60;
  const legend = ways.map(
    ({ words, colour }, at) =>
      `<rect x="${left + at * 155}" y="14" width="11" height="11" rx="2" fill="${colour}"/><text x="${left + 17 + at * 155}" y="24">${words}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Share of calls that reach the client as intended, by fault: without the proxy, with it, and with one retry" font-family="system-ui, sans-serif" font-size="12" fill="#808890">
  ${legend.join('\n  ')}
  <text x="${left}" y="46">% of calls that reach the client as they were meant</text>
  ${shares.map(rowOf).join('\n  ')}
</svg>
`;
}
