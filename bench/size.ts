/**
 * `npm run bench:size`: compares the size of our entries, minified and compressed, with packages for the same task. Prints tables, and
 * writes its result for the report. Exits with 1 if a bar is missed.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundle } from '../scripts/bundle.ts';
import { sizeBars } from '../scripts/size-bars.ts';
import { type BenchBar, type BenchTable, writeResult } from './bench-result.ts';
import { installPeers, peersFolder } from './install-peers.ts';
import { markdownTable } from './report-page.ts';
import { callEntries, ownEntries, readerEntries, type SizeEntry } from './size/entries.ts';
import { type Weight, weigh } from './size/weigh.ts';
import { versionsOf } from './versions-of.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const inKb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
const peers = installPeers([
  '@boundaryml/baml',
  ...[...callEntries, ...readerEntries].flatMap(({ from }) => (from === 'own' ? [] : from)),
]);

type Weighed = { readonly name: string } & (Weight | { readonly why: string });
const weighed = async ({ name, code, from }: SizeEntry): Promise<Weighed> => {
  const gone = from === 'own' ? undefined : from.find((one) => one in peers.missing);
  if (gone) return { name, why: `${gone} could not be installed` };
  try {
    return { name, ...(await weigh(code, from === 'own' ? root : peersFolder)) };
  } catch {
    return { name, why: 'can not be bundled' };
  }
};

/** BAML's parser is machine code, which a browser can't run and a bundler does not shrink. */
function bamlWeight(): string[] {
  const [file] = globSync('node_modules/@boundaryml/baml-*/*.node', { cwd: peersFolder });
  if (!file) return ['BAML: its native code', '–', '–', 'is not there'];
  const bytes = readFileSync(`${peersFolder}${file}`);
  return ['BAML: its native code', inKb(bytes.length), inKb(gzipSync(bytes).length), 'Node'];
}

const rowOf = (one: Weighed): string[] =>
  'why' in one
    ? [one.name, '–', '–', one.why]
    : [one.name, inKb(one.minified), inKb(one.packed), one.platform === 'node' ? 'Node' : 'anywhere'];
const head = ['', 'minified', 'compressed', 'runs'];
const tables: BenchTable[] = [];
const losses: string[] = [];
for (const [title, entries] of [
  ['Entries of Toolmend, each with its dependencies', ownEntries],
  ['Parsing and validating a damaged call', callEntries],
  ['Parsing streamed JSON', readerEntries],
] as const) {
  const all: Weighed[] = [];
  for (const entry of entries) all.push(await weighed(entry));
  tables.push({ title, head, rows: [...all.map(rowOf), ...(entries === callEntries ? [bamlWeight()] : [])] });
  const [ours] = all;
  if (entries === ownEntries || !ours || !('packed' in ours)) continue;
  for (const one of all)
    if ('packed' in one && one.packed < ours.packed)
      losses.push(`${title}: ${one.name} is ${inKb(one.packed)} compressed, Toolmend ${inKb(ours.packed)}.`);
}

const bars: BenchBar[] = [];
for (const { label, entry, part, names, bar } of sizeBars) {
  const packed = gzipSync(await bundle(entry, part, names), { level: 9 }).length;
  bars.push({ what: label, figure: inKb(packed), bar: `at most ${inKb(bar)}`, met: packed <= bar });
}
for (const table of tables) console.log(`${markdownTable(table)}\n`);
for (const { what, figure, bar, met } of bars) console.log(`${met ? 'met   ' : 'MISSED'} ${what}: ${figure}, ${bar}`);
writeResult({
  name: 'size',
  title: 'Size',
  command: 'npm run bench:size',
  about:
    'The size of a program that imports these names: bundled with its dependencies and minified by esbuild, compressed by gzip. "Anywhere" means that the bundle also works in a browser. Frameworks include a complete agent. They are listed because their users need it for the same job. The limits of the root entry count our own code once for a program that imports `mend`, `tool` and `Toolbox`, and once for all exports. Both include everything that a damaged call can need, and exclude ajv, which is only loaded by Node with the first JSON Schema.',
  tables,
  bars,
  charts: [],
  losses,
  versions: { ...peers.versions, ...versionsOf('ai', 'langchain', '@openai/agents', 'esbuild') },
});
if (bars.some(({ met }) => !met)) process.exitCode = 1;
