/** A line of a chart: where it goes through, and whether it is ours. */
export interface LogLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  readonly ours: boolean;
}

export interface LogChart {
  readonly title: string;
  readonly lines: readonly LogLine[];
  /** Marks of the axes with their words, in ascending order; they are the ends of the axes too. */
  readonly across: readonly (readonly [value: number, words: string])[];
  readonly up: readonly (readonly [value: number, words: string])[];
}

const [left, top, wide, high, room] = [80, 44, 460, 330, 210];
const colours = [
  '#d1495b',
  '#2f7fb8',
  '#edae49',
  '#8d6fbf',
  '#00798c',
  '#c36f09',
  '#7a9e3f',
  '#b5527e',
  '#5c7c8a',
  '#a08060',
  '#4d8f8b',
];
const grey = '#808890';
const inXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Words at the ends of lines, moved apart so that each can be read. */
function spread(heights: readonly number[]): number[] {
  const order = heights.map((_, at) => at).sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  const moved = [...heights];
  const gap = 14;
  order.forEach((at, place) => {
    const above = order[place - 1];
    if (above !== undefined) moved[at] = Math.max(moved[at] ?? 0, (moved[above] ?? 0) + gap);
  });
  return moved;
}

/** Lines over two logarithmic axes, as SVG. Readable on light and dark pages. */
export function logChart({ title, lines, across, up }: LogChart): string {
  const ends = (marks: LogChart['up']): [number, number] => [marks[0]?.[0] ?? 1, marks.at(-1)?.[0] ?? 10];
  const along = (value: number, [from, to]: [number, number]): number => Math.log(value / from) / Math.log(to / from);
  const x = (value: number): number => left + along(value, ends(across)) * wide;
  const y = (value: number): number => top + high - along(value, ends(up)) * high;
  const marks = [
    ...across.map(
      ([value, words]) =>
        `<line x1="${x(value).toFixed(1)}" y1="${top}" x2="${x(value).toFixed(1)}" y2="${top + high}" stroke="${grey}" stroke-opacity="0.2"/><text x="${x(value).toFixed(1)}" y="${top + high + 18}" text-anchor="middle">${words}</text>`,
    ),
    ...up.map(
      ([value, words]) =>
        `<line x1="${left}" y1="${y(value).toFixed(1)}" x2="${left + wide}" y2="${y(value).toFixed(1)}" stroke="${grey}" stroke-opacity="0.2"/><text x="${left - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${words}</text>`,
    ),
  ];
  const last = lines.map(({ points }) => points.at(-1) ?? ([1, 1] as const));
  const heights = spread(last.map(([, value]) => y(value) + 4));
  const drawn = lines.map(({ name, points, ours }, at) => {
    const colour = ours ? '#2a9d6f' : (colours[at % colours.length] as string);
    const path = points.map(([one, other]) => `${x(one).toFixed(1)},${y(other).toFixed(1)}`).join(' ');
    const [endX, endY] = [x(last[at]?.[0] ?? 1), y(last[at]?.[1] ?? 1)];
    return [
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="${ours ? 4 : 2}"/>`,
      `<circle cx="${endX.toFixed(1)}" cy="${endY.toFixed(1)}" r="${ours ? 5 : 3}" fill="${colour}"/>`,
      `<line x1="${endX.toFixed(1)}" y1="${endY.toFixed(1)}" x2="${left + wide + 12}" y2="${((heights[at] ?? 0) - 4).toFixed(1)}" stroke="${colour}" stroke-opacity="0.35" stroke-dasharray="2 3"/>`,
      `<text x="${left + wide + 16}" y="${(heights[at] ?? 0).toFixed(1)}" fill="${colour}"${ours ? ' font-weight="bold"' : ''}>${inXml(name)}</text>`,
    ].join('\n  ');
  });
  const [width, height] = [left + wide + room, Math.max(top + high + 34, ...heights.map((one) => one + 20))];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height.toFixed(0)}" width="${width}" height="${height.toFixed(0)}" role="img" aria-label="${inXml(title)}" font-family="system-ui, sans-serif" font-size="12" fill="${grey}">
  <text x="${left}" y="22" font-size="13">${inXml(title)}</text>
  ${marks.join('\n  ')}
  ${drawn.join('\n  ')}
</svg>`;
}
