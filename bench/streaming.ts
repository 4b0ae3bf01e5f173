/**
 * `npm run bench:streaming`: compares the cost of parsing a call while it streams, in chunks of 16 characters with a look at the
 * newest value after each, from 1 KB to 1 MB, with all other parsers; then texts designed to be slow. `--quick` skips parsers that
 * would take longer than a second. Prints tables, and writes its result for the report. Exits with 1 if a bar is missed.
 */
import { type BenchBar, type BenchChart, type BenchTable, writeResult } from './bench-result.ts';
import { largeCalls } from './calls.ts';
import { markdownTable } from './report-page.ts';
import { contestants, toolmend } from './streaming/contestants.ts';
import { type Growth, growth } from './streaming/growth.ts';
import { hostile, mostGrowth } from './streaming/hostile.ts';
import { logChart } from './streaming/log-chart.ts';
import { oddText, readsOf } from './streaming/reads-of.ts';

const kilo = 1024;
const sizes = [1, 4, 16, 64, 256, 1024].map((size) => size * kilo);
const words = (size: number): string => (size >= kilo * kilo ? `${size / kilo / kilo} MB` : `${size / kilo} KB`);
const kinds = ['one long text', 'many edits', 'many numbers'];
const limit = process.argv.includes('--quick') ? 1000 : 10_000;
const least = 300;

const { all, versions, missing } = await contestants();
for (const [name, why] of Object.entries(missing)) console.log(`${name} could not be installed: ${why}`);

const shown = (time: number | undefined): string =>
  time === undefined ? '–' : time >= 1000 ? `${(time / 1000).toFixed(2)} s` : `${time.toFixed(time < 10 ? 2 : 1)} ms`;
const tables: BenchTable[] = [];
const bars: BenchBar[] = [];
const charts: BenchChart[] = [];
const losses: string[] = [];

function judge(kind: string, grown: readonly Growth[]): void {
  const own = grown.find(({ contestant }) => contestant === toolmend) as Growth;
  const at = (entry: Growth | undefined, size: number): number => entry?.times.get(size) ?? Number.NaN;
  const [small, large] = [64 * kilo, 1024 * kilo];
  const peer = grown.find(({ contestant }) => contestant.name === 'AI SDK');
  const faster = at(peer, small) / at(own, small);
  if (peer?.times.has(small))
    bars.push({
      what: `${kind}, 64 KB, compared with the AI SDK`,
      figure: `${Math.round(faster)} x faster`,
      bar: `at least ${least} x`,
      met: faster >= least,
    });
  const steep = at(own, large) / at(own, small);
  bars.push({
    what: `${kind}, 1 MB compared with 64 KB`,
    figure: `${steep.toFixed(1)} x`,
    bar: `at most ${mostGrowth} x`,
    met: steep <= mostGrowth,
  });
  for (const { contestant, times } of grown)
    for (const size of [sizes[0] as number, ...[...times.keys()].slice(-1)]) {
      const [ours, theirs] = [at(own, size), times.get(size) ?? Number.NaN];
      if (contestant !== toolmend && theirs < ours)
        losses.push(
          `${kind}, ${words(size)}: ${contestant.name} takes ${shown(theirs)}, Toolmend takes ${shown(ours)}.`,
        );
    }
}

for (const [index, kind] of kinds.entries()) {
  const texts = sizes.map((size) => ({ size, text: largeCalls(size)[index]?.text ?? '' }));
  const grown = await growth(all, texts, limit, (size) => console.error(`${kind}, ${size}`));
  tables.push({
    title: `Time to parse a streamed call: ${kind}`,
    head: ['', ...sizes.map(words), 'stopped because'],
    rows: grown.map(({ contestant, times, stopped = '' }) => [
      contestant.name,
      ...sizes.map((size) => shown(times.get(size))),
      stopped,
    ]),
  });
  judge(kind, grown);
  charts.push({
    file: `streaming-${kind.replaceAll(' ', '-')}.svg`,
    alt: `Time to parse a streamed call by size, ${kind}, both axes logarithmic`,
    svg: logChart({
      title: `CPU time to parse a streamed call: ${kind}`,
      lines: grown.map(({ contestant, times }) => ({
        name: contestant.name,
        points: [...times],
        ours: contestant === toolmend,
      })),
      across: sizes.map((size) => [size, words(size)]),
      up: [0.01, 0.1, 1, 10, 100, 1000, 10_000].map((time) => [time, time >= 1000 ? `${time / 1000} s` : `${time} ms`]),
    }),
  });
}

const shapes = hostile();
const over = shapes.filter((shape) => shape.growth > mostGrowth);
const [steepest] = shapes;
bars.push({
  what: `texts designed to be slow, 1 MB compared with 64 KB, steepest of ${shapes.length}`,
  figure: `${(steepest?.growth ?? 0).toFixed(1)} x`,
  bar: `at most ${mostGrowth} x (${over.length} over the limit)`,
  met: over.length === 0,
});
tables.push(
  {
    title: 'How each parser works, and its result for invalid JSON',
    head: ['', 'called', 'for each chunk', `\`${oddText}\``],
    rows: await Promise.all(
      all.map(async (one) => [
        one.name,
        one.how,
        one.way === 'keeps' ? 'continues' : 'parses everything again',
        await readsOf(one),
      ]),
    ),
  },
  {
    title: 'Texts designed to be slow, Toolmend only: the five steepest and those over the limit',
    head: ['shape', '1 MB', 'compared with 64 KB'],
    rows: [...new Set([...shapes.slice(0, 5), ...over])].map(({ name, time, growth: grown }) => [
      name,
      shown(time),
      `${grown.toFixed(1)} x`,
    ]),
  },
);

for (const table of tables) console.log(`${markdownTable(table)}\n`);
writeResult({
  name: 'streaming',
  title: 'Parsing streamed calls',
  command: 'npm run bench:streaming',
  about: `A call arrives in chunks of 16 characters, and its newest value is read after each chunk. All parsers read the same texts in alternation. Figures are medians of CPU time. A parser that would take more than ${limit / 1000} s for the next size is skipped. Parsers without streaming get the complete text so far, as their users do it.`,
  tables,
  bars,
  charts,
  losses,
  versions,
});
const missed = bars.filter(({ met }) => !met);
console.log(missed.length === 0 ? 'Every bar is met.' : `Missed: ${missed.map(({ what }) => what).join('; ')}`);
if (missed.length > 0) process.exitCode = 1;
