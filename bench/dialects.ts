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
import { callRule, type DecodedText, hasCalls, hasText, type RecordedText, textRule } from './dialect-rules.ts';
import { dialectSpeed } from './dialect-speed.ts';
import { speedResult } from './dialect-speed-result.ts';

const bars = { named: { calls: 100, texts: 98 }, auto: { calls: 96, texts: 98 } };
const sizes = [undefined, 1, 3, 7, 64];
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const shared = at('../shared/dialects');
const out = at('.bench/dialects');
if (!existsSync(join(shared, 'cases.jsonl'))) {
  console.error('The recorded texts are not there: ../shared/dialects/cases.jsonl is needed to measure.');
  process.exit(2);
}
mkdirSync(out, { recursive: true });

const recorded = (file: string): RecordedText[] =>
  readFileSync(join(shared, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as RecordedText);
const toolboxes = new ToolboxCache();
const decode = (
  { id, format, raw, tools, reasoning_open }: RecordedText,
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
/** Counts texts by the rule that contradicts what is expected of them. */
function byRule(missed: readonly RecordedText[], ruleOf: (one: RecordedText) => string | undefined) {
  const counts = new Map<string, number>();
  for (const one of missed) {
    const rule = ruleOf(one);
    if (rule) counts.set(rule, 1 + (counts.get(rule) ?? 0));
  }
  return { counts, all: [...counts.values()].reduce((sum, count) => sum + count, 0) };
}
const without = (share: number, count: number, excluded: number): number =>
  Number(((100 * Math.round((share * count) / 100)) / (count - excluded)).toFixed(2));

for (const [name, auto] of [
  ['named', false],
  ['auto', true],
] as const) {
  for (const chunk of sizes) {
    const file = join(out, `${name}-${chunk ?? 'whole'}.jsonl`);
    const cases = recorded('cases.jsonl');
    const decoded = cases.map((one) => decode(one, chunk, auto));
    writeFileSync(file, `${decoded.join('\n')}\n`);
    const { stdout, stderr } = spawnSync(process.execPath, [join(shared, 'score.mjs'), file], { encoding: 'utf8' });
    const [calls, texts] = [percent(stdout, 'calls'), percent(stdout, 'text')];
    console.log(
      `${name.padEnd(6)} ${String(chunk ?? 'whole').padStart(5)}   calls ${calls} %   texts ${texts} % ${stderr}`,
    );
    const way = `${auto ? 'dialect found' : 'dialect named'}, ${chunk ? `in pieces of ${chunk}` : 'whole'}`;
    rows.push([way, `${calls} %`, `${texts} %`]);
    const bar = auto ? bars.auto : bars.named;
    const got = new Map(cases.map((one, index) => [one, JSON.parse(decoded[index] as string) as DecodedText]));
    const gotOf = (one: RecordedText): DecodedText => got.get(one) ?? {};
    const noCalls = cases.filter((one) => auto && !hasCalls(one, gotOf(one)) && one.alternatives === undefined);
    const noText = cases.filter((one) => auto && !hasText(one, gotOf(one)));
    const excluded = {
      calls: byRule(noCalls, callRule),
      texts: byRule(noText, (one) => textRule(one, gotOf(one))),
    };
    if (auto && chunk === undefined)
      for (const [what, { counts }] of Object.entries(excluded))
        for (const [rule, count] of counts) console.log(`       ${what} excluded by ${rule}: ${count} cases`);
    for (const [what, share, count, least] of [
      ['calls', calls, cases.length, bar.calls],
      ['texts', texts, cases.filter((one) => one.content_strict).length, bar.texts],
    ] as const) {
      const { all } = excluded[what];
      const figure = without(share, count, all);
      if (auto) console.log(`       ${what} ${figure} % without ${all} cases that a rule excludes`);
      judged.push({
        what: `${what} read right, ${way}`,
        figure: all === 0 ? `${share} %` : `${figure} % (${share} % with ${all} that the rules exclude)`,
        bar: `at least ${least} %`,
        met: figure >= least,
      });
    }
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
  name,
  ...sharesOf(counts),
]);
console.log(`${'fault'.padEnd(46)} recovered   refused   text   other call`);
for (const [name = '', recovered = '', refused = '', text = '', wrong = ''] of faultRows)
  console.log(
    `${name.padEnd(46)} ${recovered.padStart(9)} ${refused.padStart(9)} ${text.padStart(6)} ${wrong.padStart(12)}`,
  );
judged.push({
  what: 'faulty markers read as a different call',
  figure: String(allFaults.wrong),
  bar: 'none',
  met: allFaults.wrong === 0,
});
// One dialect of each notation, because all of them take long.
const sample = process.argv.includes('--quick') ? ['auto'] : ['auto', 'hermes', 'qwen3-coder', 'lfm2'];
const speed = speedResult(dialectSpeed(process.argv.includes('--all') ? [] : sample));
const [whole] = rows.filter(([way]) => way === 'dialect found, whole');
writeResult({
  name: 'dialects',
  title: 'Calls written as text',
  command: 'npm run bench:dialects',
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
