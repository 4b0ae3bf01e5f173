/**
 * `npm run agents`: runs real coding agents against a fake model server that damages tool calls, without and with the proxy.
 * A run is right if a file has the right content. Installs the agents into `.bench/agents/` and runs them where only the
 * loopback interface exists. A complete run writes `docs/agents/results.json`, `docs/agents.md` and the README's claims.
 * Exits with 1 if a bar is missed.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agentRows } from './agents/agent-rows.ts';
import { type Cell, cellName, cellsOf, openCellStore } from './agents/cells.ts';
import { compareHomes, type StoredHome } from './agents/compare-homes.ts';
import { type InstalledAgent, installAgent } from './agents/install-agents.ts';
import { isIsolated, runIsolated } from './agents/isolate.ts';
import { runCell } from './agents/run-cell.ts';
import { groups, scenarios } from './agents/scenarios.ts';
import { agentFigures } from './agents/summary.ts';
import { writePages } from './agents/write-pages.ts';
import { commitOf } from './machine.ts';
import { markdownTable } from './report-page.ts';
import { writeClaims } from './write-report.ts';

const help = `Usage: npm run agents -- [OPTIONS]

Options:
  --agent NAME    run only this agent (repeatable)
  --damage NAME   run only this damage, scenario or group of scenarios (repeatable)
  --way NAME      run only 'direct' or 'proxy'
  --resume        skip cells that have a result of this commit
  --accept COMMIT with --resume, also skip cells that have a result of this commit (repeatable)
  --latest        use the newest versions instead of the pinned ones
  --jobs N        cells that run at the same time (default: 2)
  --timeout N     seconds for each cell (default: 120). A cell that takes longer runs once more
  --homes         only compare home folders after a direct and a launched run
  --report        run nothing, and use the stored results
  --json          write the results as JSON
  -h, --help      show this help

Agents: ${agentRows.map(({ agent }) => agent.name).join(', ')}
Groups: ${groups.join(', ')}
Scenarios: ${scenarios.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
  options: {
    agent: { type: 'string', multiple: true },
    damage: { type: 'string', multiple: true },
    way: { type: 'string', multiple: true },
    resume: { type: 'boolean', default: false },
    accept: { type: 'string', multiple: true, default: [] },
    latest: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '120' },
    homes: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const say = (line: string): void => console.error(line);
const fail = (message: string): never => {
  say(message);
  process.exit(2);
};
if (values.help) {
  console.log(help);
  process.exit(0);
}
const known = {
  agent: agentRows.map(({ agent }) => agent.name),
  damage: [...groups, ...scenarios.map(({ name }) => name)],
};
for (const key of ['agent', 'damage'] as const)
  for (const name of values[key] ?? [])
    if (!known[key].includes(name)) fail(`Unknown --${key} '${name}'. Expected one of: ${known[key].join(', ')}`);
const [jobs, seconds] = [Number(values.jobs), Number(values.timeout)];
if (!(jobs >= 1 && seconds >= 1)) fail('Invalid --jobs or --timeout: expected a positive number');

const rows = agentRows.filter(({ agent }) => values.agent === undefined || values.agent.includes(agent.name));
const installed = new Map<string, InstalledAgent>();
for (const row of rows) {
  const result = installAgent(row, { latest: values.latest, offline: isIsolated(), say });
  if (typeof result === 'string') say(`${row.agent.label} is left out: ${result}`);
  else installed.set(row.agent.name, result);
}
if (!isIsolated()) {
  const exit = runIsolated();
  if (exit) process.exit(await exit);
  say('This system has no network namespaces: agents can reach the network.');
}

const commit = commitOf();
const timeout = seconds * 1000;
const store = openCellStore(values.latest ? 'latest' : 'cells');
const rowsToRun = rows.filter(({ agent }) => installed.has(agent.name));
const agentOf = (name: string): InstalledAgent => installed.get(name) as InstalledAgent;
const accepted = [commit, ...values.accept];
const isDone = ({ row, scenario, way }: Cell): boolean => {
  const stored = store.cells.get(cellName(row.agent.name, scenario.name, way));
  return !!stored && accepted.includes(stored.commit) && stored.version === agentOf(row.agent.name).version;
};

/** Runs tasks, some of them at the same time. */
async function runAll<T>(tasks: readonly T[], task: (one: T) => Promise<string>): Promise<void> {
  const pending = [...tasks];
  const show = progress();
  let ended = 0;
  const work = async (): Promise<void> => {
    for (let one = pending.shift(); one !== undefined; one = pending.shift()) {
      const words = await task(one);
      ended += 1;
      show(ended, tasks.length, words);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
}

/** An updated line in a terminal, a line for each cell in a pipe. Standard output has only results. */
function progress(): (done: number, of: number, words: string) => void {
  const { stderr } = process;
  return (done, of, words) => {
    const line = `[${done}/${of}] ${words}`;
    if (!stderr.isTTY) stderr.write(`${line}\n`);
    else stderr.write(`\r\u001b[2K${line.slice(0, (stderr.columns ?? 80) - 1)}${done === of ? '\n' : ''}`);
  };
}

const wanted = values.homes ? [] : cellsOf(rowsToRun, values);
await runAll(
  values.report ? [] : wanted.filter((cell) => !(values.resume && isDone(cell))),
  async ({ row, scenario, way }) => {
    const run = () => runCell(agentOf(row.agent.name), scenario, way, { timeout });
    const first = await run();
    // The machine may have been busy.
    const result = first.timedOut ? await run() : first;
    store.add({ ...result, commit });
    return `${cellName(row.agent.name, scenario.name, way)}: ${result.right ? 'right' : 'WRONG'} (${result.seconds} s, ${result.transcript.slice(0, 12)})`;
  },
);

const homesFile = new URL('../.bench/agents/homes.json', import.meta.url);
const homes: StoredHome[] = existsSync(homesFile) ? JSON.parse(readFileSync(homesFile, 'utf8')) : [];
const isFiltered = values.damage !== undefined || values.way !== undefined;
if (!values.report && (values.homes || !isFiltered))
  await runAll(rowsToRun, async ({ agent: { name } }) => {
    const compared = await compareHomes(agentOf(name), { timeout });
    if (typeof compared === 'string') return `${name} home: WRONG, ${compared}`;
    homes.splice(0, homes.length, ...homes.filter((one) => one.agent !== name), { ...compared, commit });
    writeFileSync(homesFile, `${JSON.stringify(homes, null, 1)}\n`);
    const { onlyDirect, onlyLaunched, leaks } = compared;
    return `${name} home: ${onlyDirect.length} paths only direct, ${onlyLaunched.length} only launched, ${leaks.length} leaks`;
  });

const cells = cellsOf(rowsToRun, values.homes ? {} : values).flatMap(
  ({ row, scenario, way }) => store.cells.get(cellName(row.agent.name, scenario.name, way)) ?? [],
);
const order = agentRows.map(({ agent }) => agent.name);
const ordered = homes.toSorted((one, other) => order.indexOf(one.agent) - order.indexOf(other.agent));
const isComplete =
  !isFiltered &&
  !values.latest &&
  rowsToRun.length === agentRows.length &&
  cells.length === cellsOf(agentRows, {}).length;
const strange = cells.filter((cell) => !accepted.includes(cell.commit)).length;
if (isComplete && strange > 0) say(`${strange} results are of other commits: the docs stay as they are.`);
const isPublished = isComplete && strange === 0;
const figures = isPublished
  ? writePages({ isolated: isIsolated(), cells, homes: ordered })
  : agentFigures(cells, ordered);
if (isPublished) writeClaims();
if (values.json) console.log(JSON.stringify({ isolated: isIsolated(), figures, homes: ordered, cells }, null, 1));
else console.log(figures.tables.map(markdownTable).join('\n\n'));
const missed = figures.bars.filter(({ met }) => !met);
for (const { what, figure, bar } of missed) say(`Missed: ${what}: ${figure}, limit: ${bar}`);
process.exitCode = missed.length === 0 ? 0 : 1;
