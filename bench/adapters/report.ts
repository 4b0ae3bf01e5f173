/**
 * How many runs of a framework's own agent come to the call that was meant, from one list of damaged answers, without its
 * adapter and with it. Writes the table of each framework's page; exit 1 when a bar is missed.
 * `node bench/adapters/report.ts ai-sdk` measures one alone.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { ModelRequest } from '../../src/model/index.ts';
import { serveScripted } from '../../src/provider/scripted/server.ts';
import { sameJson } from '../../test/damage/trial.ts';
import { type BenchBar, type BenchTable, writeResult } from '../bench-result.ts';
import { type BadCase, badCases, unsure } from '../proxy-mend-cases.ts';
import { versionsOf } from '../versions-of.ts';
import type { Framework } from './framework.ts';

/** Of what has one reading, so much must be right with an adapter, in percent; and no more may be wrong than without. */
const bars = { group: 90, sound: 100 };
const steps = 3;
/** The group of all cases. */
const total = 'total';
const files = ['ai-sdk', 'langchain', 'openai-agents'];

/** An adapter can't mend a response that never reaches the framework. */
const cases = badCases(3).filter(({ group }) => group !== 'rejected by the server');

type Seen = 'right' | 'wrong' | 'none';
type Row = { runs: number; without: Record<Seen, number>; with: Record<Seen, number> };
const none = (): Row => ({
  runs: 0,
  without: { right: 0, wrong: 0, none: 0 },
  with: { right: 0, wrong: 0, none: 0 },
});

/** The inputs of the tools since the start of the last run. */
const ran: { name: string; input: unknown }[] = [];
const server = await serveScripted((question: ModelRequest) =>
  // A model that repeats its response until its call has run, so that the result depends only on the framework.
  ran.length > 0 ? 'Done.' : (cases[Number(question.model)] as BadCase).answer(question),
);

async function seen({ run }: Framework, one: BadCase, index: number, adapted: boolean): Promise<Seen> {
  ran.length = 0;
  const work = (name: string, input: unknown): string => {
    ran.push({ name, input });
    return 'Done.';
  };
  const { tools } = one;
  await run({ baseUrl: `${server.url}/v1`, model: String(index), tools, work, adapted, steps }).catch(() => undefined);
  const [first] = ran;
  if (!first) return 'none';
  return ran.length === 1 && first.name === one.tool.name && sameJson(first.input, one.expected) ? 'right' : 'wrong';
}

async function measure(framework: Framework): Promise<readonly (readonly [string, Row])[]> {
  const rows = new Map<string, Row>();
  const all = none();
  for (const [index, one] of cases.entries()) {
    const row = rows.get(one.group) ?? none();
    rows.set(one.group, row);
    const [without, mended] = [await seen(framework, one, index, false), await seen(framework, one, index, true)];
    for (const each of [row, all]) {
      each.runs += 1;
      each.without[without] += 1;
      each.with[mended] += 1;
    }
  }
  const last = ([group]: readonly [string, Row]): number => (group === unsure ? 1 : 0);
  return [...[...rows].sort((one, other) => last(one) - last(other)), [total, all]];
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;

function table(rows: readonly (readonly [string, Row])[]): string {
  const all = rows.at(-1)?.[1] ?? none();
  return [
    '| Damage | Runs | Without the adapter | With the adapter |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map(
      ([group, row]) =>
        `| ${group} | ${row.runs} | ${percent(row.without.right, row.runs)} | ${percent(row.with.right, row.runs)} |`,
    ),
    '',
    `Runs that executed a wrong call (another tool, other arguments, or more than one call): ${all.without.wrong} without the adapter, ${all.with.wrong} with the adapter.`,
  ].join('\n');
}

const tableOf = (name: string, rows: readonly (readonly [string, Row])[]): BenchTable => ({
  title: name,
  head: ['damage', 'runs', 'without the adapter', 'with the adapter', 'wrong without', 'wrong with'],
  rows: rows.map(([group, { runs, without, with: mended }]) => [
    group,
    String(runs),
    percent(without.right, runs),
    percent(mended.right, runs),
    String(without.wrong),
    String(mended.wrong),
  ]),
});

const barsOf = (name: string, rows: readonly (readonly [string, Row])[]): BenchBar[] =>
  rows.flatMap(([group, row]): BenchBar[] => {
    if (group === unsure) return [];
    if (group === total) {
      const [before, after] = [row.without.wrong, row.with.wrong];
      const [what, bar] = [`${name}: runs with wrong arguments`, `at most ${before}, the figure without`];
      return [{ what, figure: String(after), bar, met: after <= before }];
    }
    const least = group === 'valid calls' ? bars.sound : bars.group;
    const met = (100 * row.with.right) / row.runs >= least;
    return [{ what: `${name}: ${group}`, figure: percent(row.with.right, row.runs), bar: `at least ${least} %`, met }];
  });

const asked = process.argv.slice(2);
const unknown = asked.filter((one) => !files.includes(one));
if (unknown.length > 0) throw new Error(`There is no adapter ${unknown.join(', ')}. There are: ${files.join(', ')}`);
const [tables, judged]: [BenchTable[], BenchBar[]] = [[], []];
for (const file of files) {
  const module = new URL(`./${file}.ts`, import.meta.url);
  if (asked.length > 0 ? !asked.includes(file) : !existsSync(module)) continue;
  const { framework } = (await import(module.href)) as { framework: Framework };
  const rows = await measure(framework);
  console.log(`\n${framework.name}\n\n${table(rows)}`);
  const page = new URL(`../../${framework.page}`, import.meta.url);
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.replace(/(<!-- figures -->\n).*(<!-- \/figures -->)/s, `$1${table(rows)}\n$2`));
  tables.push(tableOf(framework.name, rows));
  judged.push(...barsOf(framework.name, rows));
}
await server.close();
const missed = judged.filter(({ met }) => !met).map(({ what, figure, bar }) => `${what}: ${figure}, ${bar}`);
console.log(`\n${missed.length === 0 ? 'Every bar is met.' : `Missed: ${missed.join('; ')}`}`);
if (missed.length > 0) process.exitCode = 1;
// The figures of a single framework are not the result.
if (tables.length === files.length)
  writeResult({
    name: 'adapters',
    title: 'Framework adapters',
    command: 'npm run adapters',
    about:
      "The frameworks' own agents receive the same damaged responses from a scripted server, which repeats a response until a tool has run. A run is correct if only the intended tool ran, with the intended arguments.",
    tables,
    bars: judged,
    charts: [],
    losses: [],
    versions: versionsOf('ai', '@ai-sdk/openai', '@langchain/core', 'langchain', '@langchain/openai', '@openai/agents'),
  });
