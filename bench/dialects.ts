/**
 * `npm run bench:dialects`: reads the recorded texts of every dialect with the code of `toolmend decode`, complete and in
 * chunks, and scores them. Then reads damaged texts, which must not throw and must give the same result in chunks, and
 * measures the cost (dialect-speed.ts). Writes .bench/dialects/. Exits with 1 if a bar is missed, and with 2 if there are no texts.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { decodeLine } from '../src/cli/decode/command.ts';
import { ToolboxCache } from '../src/cli/shared/toolbox-cache.ts';
import { type BenchBar, writeResult } from './bench-result.ts';
import { faultCounts, sharesOf, totalOf } from './dialect-faults.ts';
import { dialectSpeed } from './dialect-speed.ts';
import { speedResult } from './dialect-speed-result.ts';

/** One recorded text. */
interface Recorded {
  readonly id: string;
  readonly format: string;
  readonly raw: string;
  readonly tools?: unknown;
  readonly reasoning_open?: boolean;
}

const bars = { named: { calls: 100, texts: 98 }, auto: { calls: 95, texts: 92 } };
const sizes = [undefined, 1, 3, 7, 64];
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const shared = at('../shared/dialects');
const out = at('.bench/dialects');
if (!existsSync(join(shared, 'cases.jsonl'))) {
  console.error('The recorded texts are not there: ../shared/dialects/cases.jsonl is needed to measure.');
  process.exit(2);
}
mkdirSync(out, { recursive: true });

const recorded = (file: string): Recorded[] =>
  readFileSync(join(shared, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Recorded);
const toolboxes = new ToolboxCache();
const decode = (
  { id, format, raw, tools, reasoning_open }: Recorded,
  chunk: number | undefined,
  auto: boolean,
): string => {
  const dialect = auto ? 'auto' : format;
  const line = JSON.stringify({ id, text: raw, tools, dialect, reasoningOpen: reasoning_open === true });
  return decodeLine(line, toolboxes, { chunk });
};

const judged: BenchBar[] = [];
const rows: string[][] = [];
const percent = (said: string, what: string): number =>
  Number(new RegExp(`${what} right: .*\\((.*) %\\)`).exec(said)?.[1]);
for (const [name, auto] of [
  ['named', false],
  ['auto', true],
] as const) {
  for (const chunk of sizes) {
    const file = join(out, `${name}-${chunk ?? 'whole'}.jsonl`);
    writeFileSync(
      file,
      `${recorded('cases.jsonl')
        .map((one) => decode(one, chunk, auto))
        .join('\n')}\n`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, [join(shared, 'score.mjs'), file], { encoding: 'utf8' });
    const [calls, texts] = [percent(stdout, 'calls'), percent(stdout, 'text')];
    console.log(
      `${name.padEnd(6)} ${String(chunk ?? 'whole').padStart(5)}   calls ${calls} %   texts ${texts} % ${stderr}`,
    );
    const way = `${auto ? 'dialect found' : 'dialect named'}, ${chunk ? `in pieces of ${chunk}` : 'whole'}`;
    rows.push([way, `${calls} %`, `${texts} %`]);
    // Without tools and without a named dialect, a bare call is prose, so detected dialects have other bars.
    const bar = auto ? bars.auto : bars.named;
    judged.push(
      {
        what: `calls read right, ${way}`,
        figure: `${calls} %`,
        bar: `at least ${bar.calls} %`,
        met: calls >= bar.calls,
      },
      {
        what: `texts read right, ${way}`,
        figure: `${texts} %`,
        bar: `at least ${bar.texts} %`,
        met: texts >= bar.texts,
      },
    );
  }
}

const damaged = recorded('robustness.jsonl');
const answers = damaged.map((one) => JSON.parse(decode(one, undefined, false)) as { error?: string });
const thrown = answers.filter(({ error }) => error !== undefined).length;
const unequal = damaged.filter((one, index) =>
  sizes.some((chunk) => decode(one, chunk, false) !== JSON.stringify(answers[index])),
).length;
console.log(`damaged: ${damaged.length} texts, ${thrown} not read, ${unequal} not the same in chunks`);
for (const [what, count] of [
  [`of ${damaged.length} damaged texts, not parsed`, thrown],
  [`of ${damaged.length} damaged texts, different in chunks`, unequal],
] as const)
  judged.push({ what, figure: String(count), bar: 'none', met: count === 0 });
const faults = faultCounts();
const allFaults = totalOf(faults);
const faultRows = [...faults, { name: 'all', counts: allFaults }].map(({ name, counts }) => [
  ...[name, ...sharesOf(counts)],
]);
console.log(`${'fault'.padEnd(46)} recovered   refused   text   other call`);
for (const [name = '', recovered = '', refused = '', text = '', wrong = ''] of faultRows)
  console.log(
    `${name.padEnd(46)} ${recovered.padStart(9)} ${refused.padStart(9)} ${text.padStart(6)} ${wrong.padStart(12)}`,
  );
judged.push({
  ...{ what: 'faulty markers read as a different call', figure: String(allFaults.wrong) },
  ...{ bar: 'none', met: allFaults.wrong === 0 },
});
// One dialect of each notation, because all of them take long.
const sample = process.argv.includes('--quick') ? ['auto'] : ['auto', 'hermes', 'qwen3-coder', 'lfm2'];
const speed = speedResult(dialectSpeed(process.argv.includes('--all') ? [] : sample));
const [whole] = rows.filter(([way]) => way === 'dialect found, whole');
writeResult({
  ...{ name: 'dialects', title: 'Calls written as text', command: 'npm run bench:dialects' },
  about:
    'Recorded texts from the test suites of inference servers are read with the dialect named and detected, complete and in chunks. Damaged texts must not throw, and chunks must give the same result as the complete text. The cost is measured in CPU time: 1 MB compared with 64 KB, and single characters, without the cost of passing them on, compared with the complete text or with passing them on, whichever takes longer.',
  tables: [
    { head: ['how', 'calls right', 'texts right'], rows },
    { head: ['fault of markers', 'recovered', 'refused', 'left as text', 'read as a different call'], rows: faultRows },
    speed.table,
  ],
  bars: [...judged, ...speed.bars],
  charts: [],
  losses: [
    `With the dialect detected, ${whole?.[1]} of the calls and ${whole?.[2]} of the texts are read as expected.`,
  ],
  versions: {},
});
if ([...judged, ...speed.bars].some(({ met }) => !met)) {
  console.log('A bar is missed.');
  process.exitCode = 1;
} else console.log('Every bar is met.');
