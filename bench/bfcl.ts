/**
 * `npm run bench:bfcl [-- --responses DIR --published FILE --check]`: reads recorded responses of many models with one parser,
 * writes the calls to .bench/bfcl/, scores them by the leaderboard's rules and draws docs/bench/bfcl.svg (for other
 * responses, and with `--check`, .bench/bfcl.svg). Exits with 1 if a bar is missed, and with 2 if there are no responses.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BenchBar, writeResult } from './bench-result.ts';
import { bfclChart, type ModelScore } from './bfcl-chart.ts';
import { type Answer, type Case, type Decoded, decode, toolboxOf } from './bfcl-decode.ts';

type Score = Readonly<Record<string, readonly [right: number, total: number]>>;
/** The exports of the leaderboard's scorer. */
interface Scorer {
  readonly CATEGORIES: readonly string[];
  readonly scoreModel: (cases: readonly Case[], decoded: readonly Decoded[]) => { readonly score: Score };
}

/** What must be reached: the usual models together, and how far any may fall below what was published for it. */
const bars = { all: 82, below: 0.75 };

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const shared = at('../shared/bfcl');
const { values } = parseArgs({
  options: { responses: { type: 'string' }, published: { type: 'string' }, check: { type: 'boolean', default: false } },
});
// npm starts scripts in the package's folder, and passes the folder it was called in.
const given = (path: string | undefined): string | undefined => path && resolve(process.env.INIT_CWD ?? '.', path);
const responses = given(values.responses) ?? join(shared, 'responses');
const publishedFile = given(values.published) ?? join(shared, 'published.json');
const usual = values.responses === undefined && values.published === undefined;
const scorerFile = join(shared, 'score.mjs');
for (const path of [responses, publishedFile, scorerFile]) {
  if (existsSync(path)) continue;
  console.error(`There is no ${path}: this benchmark needs the recorded responses.`);
  process.exit(2);
}

const lines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
const { CATEGORIES, scoreModel } = (await import(scorerFile)) as Scorer;
const calling = CATEGORIES.filter((category) => category !== 'irrelevance');
const cases = lines<Case>(join(shared, 'cases.jsonl'));
const toolboxes = new Map(cases.map((one) => [one.id, toolboxOf(one)]));
const published = JSON.parse(readFileSync(publishedFile, 'utf8')) as Record<string, Score>;

const sum = (score: Score | undefined): [right: number, total: number] =>
  calling.reduce<[number, number]>(
    ([right, total], category) => [right + (score?.[category]?.[0] ?? 0), total + (score?.[category]?.[1] ?? 0)],
    [0, 0],
  );
const share = ([right, total]: readonly [number, number]): number => (total === 0 ? 0 : (100 * right) / total);

const out = at('.bench/bfcl');
mkdirSync(out, { recursive: true });
const models = readdirSync(responses).filter((file) => file.endsWith('.jsonl'));
const scores: ModelScore[] = [];
let refused = 0;
const totals = { ours: [0, 0] as [number, number], published: [0, 0] as [number, number] };
const add = (total: [number, number], [right, count]: readonly [number, number]): void => {
  total[0] += right;
  total[1] += count;
};
for (const [index, file] of models.entries()) {
  const model = file.slice(0, -'.jsonl'.length);
  process.stderr.write(`[${index + 1}/${models.length}] ${model} … `);
  const start = performance.now();
  const decoded = lines<Answer>(join(responses, file)).flatMap((answer) => {
    const toolbox = toolboxes.get(answer.id);
    return toolbox ? [decode(answer, toolbox)] : [];
  });
  writeFileSync(join(out, file), decoded.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const ours = sum(scoreModel(cases, decoded).score);
  const theirs = sum(published[model]);
  process.stderr.write(`${share(ours).toFixed(2)} % in ${Math.round(performance.now() - start)} ms\n`);
  if (!published[model]) continue;
  scores.push({ model, published: share(theirs), ours: share(ours) });
  add(totals.ours, ours);
  const unrun = decoded.filter((one) => one.refused);
  const ids = new Set(unrun.map(({ id }) => id));
  refused += sum(
    scoreModel(
      cases.filter(({ id }) => ids.has(id)),
      unrun,
    ).score,
  )[0];
  add(totals.published, theirs);
}

spawnSync(process.execPath, [scorerFile, out, publishedFile], { stdio: 'inherit' });
const all = { model: 'total', published: share(totals.published), ours: share(totals.ours) };
console.log(`Right, but refused instead of run: ${refused} of ${totals.ours[0]} responses.`);
const chart = at(usual && !values.check ? 'docs/bench/bfcl.svg' : '.bench/bfcl.svg');
writeFileSync(chart, bfclChart(scores, all));

const worst = Math.max(0, ...scores.map(({ published: theirs, ours }) => theirs - ours));
const judged: BenchBar[] = [
  {
    what: 'largest loss of a model compared with its published result',
    figure: `${worst.toFixed(2)} points`,
    bar: `at most ${bars.below} points`,
    met: worst <= bars.below,
  },
];
if (usual) {
  judged.push({
    what: 'all models together',
    figure: `${all.ours.toFixed(2)} %`,
    bar: `at least ${bars.all} % right`,
    met: all.ours >= bars.all,
  });
  const behind = scores.filter(({ published: theirs, ours }) => theirs > ours);
  writeResult({
    name: 'bfcl',
    title: 'Recorded responses',
    command: 'npm run bench:bfcl',
    about:
      "Raw responses published by the Berkeley Function-Calling Leaderboard are read with one parser that doesn't know the model, and scored by the leaderboard's rules in the categories that require calls. The published results for comparison use a separate handler for each model.",
    tables: [
      {
        head: ['model', 'published handler', 'one reader'],
        rows: [...scores, all].map(({ model, published: theirs, ours }) => [
          model,
          `${theirs.toFixed(2)} %`,
          `${ours.toFixed(2)} %`,
        ]),
      },
    ],
    bars: judged,
    charts: [
      {
        file: 'bfcl.svg',
        alt: 'Share of correct responses per model, with the published handler and with Toolmend',
        svg: bfclChart(scores, all).trim(),
      },
    ],
    losses: behind.map(
      ({ model, published: theirs, ours }) =>
        `${model}: its handler gets ${theirs.toFixed(2)} % right, Toolmend ${ours.toFixed(2)} %.`,
    ),
    versions: {},
  });
}
const missed = judged.filter(({ met }) => !met).map(({ what, figure, bar }) => `${what}: ${figure}, ${bar}`);
console.log(missed.length === 0 ? 'Every bar is met.' : `Missed: ${missed.join('; ')}`);
if (missed.length > 0) process.exitCode = 1;
