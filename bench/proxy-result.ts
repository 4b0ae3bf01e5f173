import type { BenchBar, BenchResult } from './bench-result.ts';
import { median } from './measure.ts';
import type { Bar } from './proxy-bar.ts';

type Figures = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;

const columns: readonly (readonly [key: string, head: string, digits: number, better: 'less' | 'more'])[] = [
  ['first', 'first token, ms', 2, 'less'],
  ['whole', 'complete response, ms', 2, 'less'],
  ['json', 'JSON responses per second', 0, 'more'],
  ['sse', 'streams per second', 0, 'more'],
  ['jsonCpu', 'CPU for a JSON response, µs', 0, 'less'],
  ['sseCpu', 'CPU for a stream, µs', 0, 'less'],
];

/** Where Portkey's median is better than ours. */
const lossesIn = (figures: Figures): string[] =>
  columns.flatMap(([key, head, digits, better]) => {
    const [ours, theirs] = ['toolmend', 'portkey'].map((name) => median(figures[name]?.[key] ?? [])) as [
      number,
      number,
    ];
    const behind = better === 'less' ? theirs < ours : theirs > ours;
    return behind ? [`${head}: Portkey ${theirs.toFixed(digits)}, Toolmend ${ours.toFixed(digits)}.`] : [];
  });

/** The label of a bar has its target in parentheses. */
const barOf = ([words, value, met]: Bar): BenchBar => {
  const [, what = words, bar = 'all'] = /^(.*) \(([^)]*)\)$/.exec(words) ?? [];
  return { what, figure: value.toFixed(2), bar, met };
};

/** What `npm run bench:proxy` leaves for the report. */
export const proxyResult = (figures: Figures, bars: readonly Bar[], portkey: string): BenchResult => ({
  name: 'proxy',
  title: 'Proxy overhead',
  command: 'npm run bench:proxy',
  about:
    'The same requests go through the proxy, a plain pipe and Portkey, on loopback and in alternation, with each server in a separate process. The upstream responds immediately with text and a damaged call, which only Toolmend mends. Figures are compared within each round, and the median of the rounds counts. The benchmark then opens many concurrent streams and ends with a soak test.',
  tables: [
    {
      head: ['through', ...columns.map(([, head]) => head)],
      rows: Object.entries(figures).map(([name, own]) => [
        name,
        ...columns.map(([key, , digits]) => median(own[key] ?? []).toFixed(digits)),
      ]),
    },
  ],
  bars: bars.map(barOf),
  charts: [],
  losses: lossesIn(figures),
  versions: { '@portkey-ai/gateway': portkey },
});
