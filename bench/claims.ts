/** The README's claims: each with the command that checks it, and its figure from that command's result. */
import { existsSync, readFileSync } from 'node:fs';
import type { BenchResult } from './bench-result.ts';

/** The parts of a result that a claim may use, without pictures. */
export type Figures = Pick<BenchResult, 'name' | 'command' | 'tables' | 'bars'>;

const docs = new URL('../docs/', import.meta.url);

interface Claim {
  readonly claim: string;
  /** The name of the benchmark. */
  readonly from: string;
  readonly figure: (figures: Figures) => string | undefined;
}

/** The figure of a bar. Undefined if a peer was too slow to be measured in that run. */
const bar =
  (what: string) =>
  ({ bars }: Figures): string | undefined =>
    bars.find((one) => one.what === what)?.figure;

/** The cell of a row in the first table that has such a row and such a column. */
const cell = ({ name, tables }: Figures, row: string, column: string): string => {
  for (const { head, rows } of tables) {
    const at = head.findIndex((title) => title.startsWith(column));
    const found = at < 0 ? undefined : rows.find(([first]) => first === row)?.[at];
    if (found !== undefined) return found;
  }
  throw new Error(`${name} has no row "${row}" with a column "${column}"`);
};

/** Of the peers in the first table that has such a column, those with the least and with the most in it. */
const peersIn = ({ tables }: Figures, column: string): [least: readonly string[], most: readonly string[]] => {
  const table = tables.find(({ head }) => head.some((title) => title.startsWith(column)));
  const at = table?.head.findIndex((title) => title.startsWith(column)) ?? -1;
  const sorted = (table?.rows ?? [])
    .filter(([first = '']) => !first.startsWith('Toolmend'))
    .map((row) => [row[0] ?? '', row[at] ?? ''])
    .sort(([, one = ''], [, other = '']) => Number.parseFloat(one) - Number.parseFloat(other));
  return [sorted[0] ?? [], sorted.at(-1) ?? []];
};

const claims: readonly Claim[] = [
  {
    claim: 'Damaged calls with exactly one reading that run as intended',
    from: 'accuracy',
    figure: (figures) => {
      const [, [name, share]] = peersIn(figures, 'recovered');
      return `${cell(figures, 'Toolmend', 'recovered')}; best peer (${name}): ${share}`;
    },
  },
  {
    claim: 'Damaged calls that run with wrong or ambiguous arguments',
    from: 'accuracy',
    figure: (figures) => {
      const [least, most] = peersIn(figures, 'silently wrong');
      return `${cell(figures, 'Toolmend', 'silently wrong')}; peers: ${least[1]} (${least[0]}) to ${most[1]} (${most[0]})`;
    },
  },
  {
    claim: 'Length of a feedback message, median',
    from: 'feedback',
    figure: (figures) => {
      const [least, most] = peersIn(figures, 'tokens');
      return `${cell(figures, 'Toolmend', 'tokens')} tokens; peers: ${least[1]} (${least[0]}) to ${most[1]} (${most[0]})`;
    },
  },
  {
    claim:
      'Parsing a 64 KB call while it streams, compared with the AI SDK, which parses the text again after each chunk',
    from: 'streaming',
    figure: bar('many edits, 64 KB, compared with the AI SDK'),
  },
  {
    claim: 'Parsing a 1 MB call while it streams, compared with 64 KB (linear: 16 x)',
    from: 'streaming',
    figure: bar('many edits, 1 MB compared with 64 KB'),
  },
  {
    claim: 'Mending a valid call of 200 bytes, compared with `JSON.parse` and compiled ajv',
    from: 'mend',
    figure: bar('good call: 200 B'),
  },
  {
    claim: 'Mending a damaged call of 100 KB, compared with jsonrepair, `JSON.parse` and ajv',
    from: 'mend',
    figure: bar('damaged call: 100 KB, all kinds'),
  },
  {
    claim: 'Calls written as text that are parsed correctly',
    from: 'dialects',
    figure: (figures) =>
      `${cell(figures, 'dialect named, whole', 'calls')} with the dialect configured; ${cell(figures, 'dialect found, whole', 'calls')} with it detected`,
  },
  {
    claim: 'Recorded responses of 24 models that are parsed correctly',
    from: 'bfcl',
    figure: (figures) =>
      `${cell(figures, 'total', 'one reader')}; published results, one handler per model: ${cell(figures, 'total', 'published handler')}`,
  },
  {
    claim: 'Calls from a faulty upstream that reach the client as intended',
    from: 'proxy-mend',
    figure: (figures) =>
      `${cell(figures, 'total', 'through the proxy')} with the proxy; ${cell(figures, 'total', 'without the proxy')} without`,
  },
  {
    claim: 'Damaged calls that 11 real coding agents run as intended',
    from: 'agents',
    figure: (figures) => {
      const column = 'damaged calls right, direct';
      const row = figures.tables[0]?.rows.at(-1)?.[0] ?? '';
      const [agents] = /\d+ agents/.exec(row) ?? [];
      return `${cell(figures, 'total', 'with the proxy')} with the proxy; ${cell(figures, 'total', column)} without (${cell(figures, row, column)} by the ${agents} that can use this server without it)`;
    },
  },
  {
    claim: 'Quoted and truncated calls that these agents execute with the proxy',
    from: 'agents',
    figure: (figures) =>
      `quoted: ${bar('quoted calls executed with the proxy')(figures)}; truncated: ${bar('truncated calls executed with the proxy')(figures)}`,
  },
  {
    claim: 'Latency the proxy adds to a response, median in milliseconds',
    from: 'proxy',
    figure: bar('added latency at the median, ms'),
  },
  {
    claim: 'AI SDK runs that reach the intended call',
    from: 'adapters',
    figure: (figures) =>
      `${cell(figures, 'total', 'with the adapter')} with the adapter; ${cell(figures, 'total', 'without')} without`,
  },
  {
    claim: 'Test cases with the same outcome through every entry point',
    from: 'entrances',
    figure: bar('cases with the same result as in the library'),
  },
  {
    claim: 'Side effects that ran twice after workers on Postgres were killed',
    from: 'machines',
    figure: (figures) =>
      `${bar('non-repeatable calls that ran twice')(figures)}; workers killed: ${bar('workers killed in the soak test')(figures)}`,
  },
  {
    claim: 'Size of the root entry with its dependencies, minified and compressed',
    from: 'size',
    figure: bar('root entry, with dependencies'),
  },
];

/** The rows of the README's table, from the measurements. */
export const claimRows = (results: readonly Figures[]): string[][] =>
  claims.flatMap(({ claim, from, figure }) => {
    const result = results.find(({ name }) => name === from);
    const measured = result && figure(result);
    return result === undefined || measured === undefined ? [] : [[claim, measured, `\`${result.command}\``]];
  });

/** The results in the docs: of the benchmarks, and of the coding agents, which have a file of their own. */
export function publishedFigures(): Figures[] {
  const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, docs), 'utf8'));
  const { results } = read('bench/results.json') as { results: Figures[] };
  const agents = 'agents/results.json';
  return existsSync(new URL(agents, docs)) ? [...results, (read(agents) as { figures: Figures }).figures] : results;
}
