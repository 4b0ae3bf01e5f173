import { passes, type Result } from './result.ts';

const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The ratio of a figure to its bar, as a length: the line in the middle is the bar. */
const share = ({ figure, bar }: Result): number => {
  if (bar === undefined) return 0;
  const margin = 'most' in bar ? bar.most / figure : figure / bar.least;
  return Math.min(1, Math.max(0.02, 0.5 + Math.log10(margin) / 4));
};

const text = ({ figure, unit, bar }: Result): string => {
  const shown = figure >= 100 ? Math.round(figure) : figure.toFixed(1);
  const limit = bar === undefined ? '' : ` (${'most' in bar ? `at most ${bar.most}` : `at least ${bar.least}`})`;
  return `${shown} ${unit}${limit}`;
};

/** A chart of figures with a target: right of the line is better. Readable on light and dark pages. */
export const chartOf = (results: readonly Result[]): string => {
  const shown = results.filter((result) => result.bar !== undefined);
  const [row, left, wide] = [26, 400, 300];
  const height = shown.length * row + 60;
  const bars = shown.map((result, at) => {
    const y = 44 + at * row;
    const length = Math.round(share(result) * wide);
    const colour = passes(result) ? '#2a9d6f' : '#d1495b';
    return [
      `<text x="${left - 10}" y="${y + 12}" text-anchor="end">${inXml(`${result.group}: ${result.name}`)}</text>`,
      `<rect x="${left}" y="${y}" width="${length}" height="16" rx="2" fill="${colour}"/>`,
      `<text x="${left + wide + 10}" y="${y + 12}">${inXml(text(result))}</text>`,
    ].join('\n  ');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 940 ${height}" width="940" height="${height}" role="img" aria-label="Speed of mend against its bars" font-family="system-ui, sans-serif" font-size="12" fill="#808890">
  <text x="${left + wide / 2}" y="20" text-anchor="middle" font-size="13">the bar; further right is better (log scale)</text>
  ${bars.join('\n  ')}
  <line x1="${left + wide / 2}" y1="30" x2="${left + wide / 2}" y2="${height - 14}" stroke="#808890" stroke-dasharray="4 3"/>
</svg>
`;
};
