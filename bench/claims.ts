/** The README's claims: each with the command that checks it, and its figure out of that command's result. */
import type { BenchResult } from './bench-result.ts';

/** What of a result a claim may stand on; pictures are no figures. */
export type Figures = Pick<BenchResult, 'name' | 'command' | 'tables' | 'bars'>;

interface Claim {
  readonly claim: string;
  /** The name of the benchmark. */
  readonly from: string;
  readonly figure: (figures: Figures) => string | undefined;
}

/** The figure of a bar; none where a peer was too slow to be measured in that run. */
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
    claim: 'Of damaged calls that have one reading, so many come out as they were meant',
    from: 'accuracy',
    figure: (figures) => {
      const [, [name, share]] = peersIn(figures, 'recovered');
      return `${cell(figures, 'Toolmend', 'recovered')}; the best peer (${name}): ${share}`;
    },
  },
  {
    claim: 'So many of all damaged calls run as something that was not meant, or not surely',
    from: 'accuracy',
    figure: (figures) => {
      const [least, most] = peersIn(figures, 'silently wrong');
      return `${cell(figures, 'Toolmend', 'silently wrong')}; peers: ${least[1]} (${least[0]}) to ${most[1]} (${most[0]})`;
    },
  },
  {
    claim: 'What a refusal costs the model to read, at the median',
    from: 'feedback',
    figure: (figures) => {
      const [least, most] = peersIn(figures, 'tokens');
      return `${cell(figures, 'Toolmend', 'tokens')} tokens; peers: ${least[1]} (${least[0]}) to ${most[1]} (${most[0]})`;
    },
  },
  {
    claim: 'A call of 64 KB read as it arrives, against reading what came anew with each piece, as the AI SDK does',
    from: 'streaming',
    figure: bar('many edits, 64 KB, against the AI SDK'),
  },
  {
    claim: 'The same for 1 MB, against 64 KB: linear is 16',
    from: 'streaming',
    figure: bar('many edits, 1 MB against 64 KB'),
  },
  {
    claim: 'A good call of 200 bytes, against `JSON.parse` and compiled ajv',
    from: 'mend',
    figure: bar('good call: 200 B'),
  },
  {
    claim: 'A damaged call of 100 KB, against jsonrepair, `JSON.parse` and ajv',
    from: 'mend',
    figure: bar('damaged call: 100 KB, all kinds'),
  },
  {
    claim: 'Calls written as text that are read right, with the dialect named and not named',
    from: 'dialects',
    figure: (figures) =>
      `${cell(figures, 'dialect named, whole', 'calls')}; ${cell(figures, 'dialect found, whole', 'calls')}`,
  },
  {
    claim: "Recorded answers of 24 models read right by one reader, against each model's own handler",
    from: 'bfcl',
    figure: (figures) =>
      `${cell(figures, 'all together', 'one reader')}; as published: ${cell(figures, 'all together', 'its own handler')}`,
  },
  {
    claim: 'Calls of a bad upstream that reach a client as they were meant: through the proxy, and without',
    from: 'proxy-mend',
    figure: (figures) =>
      `${cell(figures, 'all together', 'through the proxy')}; without: ${cell(figures, 'all together', 'without the proxy')}`,
  },
  {
    claim: 'What the proxy adds to an answer, in milliseconds at the median',
    from: 'proxy',
    figure: bar('added latency at the median, ms'),
  },
  {
    claim: 'Runs of the AI SDK that come to the call that was meant: with our adapter, and without',
    from: 'adapters',
    figure: (figures) =>
      `${cell(figures, 'all together', 'with it')}; without: ${cell(figures, 'all together', 'without')}`,
  },
  {
    claim: 'Cases that come out the same at every entrance',
    from: 'entrances',
    figure: bar('cases that come out as in the library'),
  },
  {
    claim: 'Workers killed while they ran agents on Postgres, and effects that came twice because of it',
    from: 'machines',
    figure: (figures) =>
      `${bar('workers killed in the soak')(figures)} killed; ${bar('once-effects that came twice')(figures)} came twice`,
  },
  {
    claim: 'The root entry with all it brings, minified and compressed',
    from: 'size',
    figure: bar('root entry, with dependencies'),
  },
];

/** The rows of the README's table, of what was measured. */
export const claimRows = (results: readonly Figures[]): string[][] =>
  claims.flatMap(({ claim, from, figure }) => {
    const result = results.find(({ name }) => name === from);
    const measured = result && figure(result);
    return result === undefined || measured === undefined ? [] : [[claim, measured, `\`${result.command}\``]];
  });
