/** A model's share of correct responses, in percent: with the published handler, and with our reader. */
export interface ModelScore {
  readonly model: string;
  readonly published: number;
  readonly ours: number;
}

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const [row, top, left, wide] = [24, 64, 330, 420];
const colours = { published: '#8d99ae', ours: '#2a9d6f', text: '#808890' };

const rowOf = ({ model, published, ours }: ModelScore, index: number): string => {
  const y = top + index * row;
  const at = (share: number): string => (left + (share / 100) * wide).toFixed(1);
  return [
    `<text x="${left - 12}" y="${y + 4}" text-anchor="end">${inXml(model)}</text>`,
    `<line x1="${at(published)}" y1="${y}" x2="${at(ours)}" y2="${y}" stroke="${colours.ours}" stroke-width="3" stroke-opacity="0.45"/>`,
    `<circle cx="${at(published)}" cy="${y}" r="5" fill="${colours.published}"/>`,
    `<circle cx="${at(ours)}" cy="${y}" r="5" fill="${colours.ours}"/>`,
    `<text x="${left + wide + 16}" y="${y + 4}">${published.toFixed(1)} → ${ours.toFixed(1)}</text>`,
  ].join('\n  ');
};

const scale = (height: number): string =>
  [0, 20, 40, 60, 80, 100]
    .map((share) => {
      const x = left + (share / 100) * wide;
      return `<line x1="${x}" y1="${top - 16}" x2="${x}" y2="${height - 12}" stroke="${colours.text}" stroke-opacity="0.25"/><text x="${x}" y="${top - 22}" text-anchor="middle">${share}</text>`;
    })
    .join('\n  ');

/** A line per model, the last for the total, from the published share to ours. Readable on light and dark pages. */
export const bfclChart = (scores: readonly ModelScore[], all: ModelScore): string => {
  const sorted = [...scores].sort((one, other) => other.ours - other.published - (one.ours - one.published));
  const shown = [...sorted, all];
  const height = top + shown.length * row + 8;
  const width = left + wide + 120;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Share of recorded answers read right, per model: published handler and one reader" font-family="system-ui, sans-serif" font-size="12" fill="${colours.text}">
  <circle cx="${left}" cy="16" r="5" fill="${colours.published}"/><text x="${left + 12}" y="20">the model's own handler, as published</text>
  <circle cx="${left + 262}" cy="16" r="5" fill="${colours.ours}"/><text x="${left + 274}" y="20">one reader for all, % right</text>
  ${scale(height)}
  ${shown.map(rowOf).join('\n  ')}
</svg>
`;
};
