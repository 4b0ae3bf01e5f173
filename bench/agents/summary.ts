/** The figures of the cells: tables, and the bars that they must pass. */
import type { BenchBar, BenchTable } from '../bench-result.ts';
import type { Figures } from '../claims.ts';
import { agentRows } from './agent-rows.ts';
import type { HomeComparison } from './compare-homes.ts';
import type { CellResult } from './run-cell.ts';
import { type Group, scenarios, type Way } from './scenarios.ts';

const bars = { damages: 12, overall: 97 };

/** How many cells of a selection there are, and how many are right. */
export interface Count {
  readonly right: number;
  readonly of: number;
}

type Selection = Partial<Pick<CellResult, 'agent' | 'scenario' | 'group' | 'way'>>;

const select = (cells: readonly CellResult[], { agent, scenario, group, way }: Selection): CellResult[] =>
  cells.filter(
    (cell) =>
      (agent === undefined || cell.agent === agent) &&
      (scenario === undefined || cell.scenario === scenario) &&
      (group === undefined || cell.group === group) &&
      (way === undefined || cell.way === way),
  );

/** Counts the cells of a selection. */
export function countOf(cells: readonly CellResult[], selection: Selection): Count {
  const some = select(cells, selection);
  return { right: some.filter(({ right }) => right).length, of: some.length };
}

/** Counts the attacks that were executed, of those that reached the agent. */
function executedOf(cells: readonly CellResult[], selection: Selection): string {
  const some = select(cells, selection).filter(({ reached }) => reached);
  return some.length === 0 ? '–' : `${some.filter(({ file }) => file.content !== null).length} of ${some.length}`;
}

export const percent = ({ right, of }: Count): string => (of === 0 ? '–' : `${((100 * right) / of).toFixed(1)} %`);
const ofText = ({ right, of }: Count): string => (of === 0 ? '–' : `${right} of ${of}`);

const label = (agent: string): string => agentRows.find((row) => row.agent.name === agent)?.agent.label ?? agent;

/** The agents of the cells, in the order of the table. */
export const agentsIn = (cells: readonly CellResult[]): string[] =>
  agentRows.map(({ agent }) => agent.name).filter((name) => cells.some(({ agent }) => agent === name));

const chatAgents = agentRows.flatMap(({ agent: { name, format } }) => (format === 'openai-chat' ? [name] : []));

/** The name of a row: the agents that have the API format of the server. */
const withServer = (count: number): string => `total of the ${count} agents with the OpenAI API`;

const agentTable = (cells: readonly CellResult[]): BenchTable => {
  const row = (first: string, version: string, some: readonly CellResult[]): string[] => {
    const count = (group: Group, way: Way): Count => countOf(some, { group, way });
    const executed = (group: Group, way: Way): string => executedOf(some, { group, way });
    return [
      first,
      version,
      ofText(count('damage', 'direct')),
      ofText(count('damage', 'proxy')),
      ofText(count('control', 'direct')),
      ofText(count('control', 'proxy')),
      executed('truncated', 'direct'),
      executed('truncated', 'proxy'),
      executed('quoted', 'proxy'),
      ofText(count('template', 'direct')),
      ofText(count('template', 'proxy')),
      ofText(count('context', 'direct')),
      ofText(count('context', 'proxy')),
      ofText(count('server', 'proxy')),
    ];
  };
  // The others can't start without the proxy.
  const ofServer = cells.filter(({ agent }) => chatAgents.includes(agent));
  const version = (agent: string): string => cells.find((cell) => cell.agent === agent)?.version ?? '';
  return {
    title: 'Agents',
    head: [
      'agent',
      'version',
      'damaged calls right, direct',
      'with the proxy',
      'sound calls, direct',
      'with the proxy',
      'truncated calls executed, direct',
      'with the proxy',
      'quoted calls executed, with the proxy',
      'strict templates, direct',
      'with the proxy',
      '32k context, direct',
      'with the proxy',
      'llama-server and Ollama, with the proxy',
    ],
    rows: [
      ...agentsIn(cells).map((agent) => row(label(agent), version(agent), select(cells, { agent }))),
      row('total', '', cells),
      ...(ofServer.length > 0 ? [row(withServer(agentsIn(ofServer).length), '', ofServer)] : []),
    ],
  };
};

const damageTable = (cells: readonly CellResult[], group: Group, title: string): BenchTable => {
  const shares = (selection: Selection): string[] =>
    (['direct', 'proxy'] as const).flatMap((way) => {
      const count = countOf(cells, { ...selection, group, way });
      return [ofText(count), percent(count)];
    });
  const rows = scenarios
    .filter((scenario) => scenario.group === group)
    .map(({ name, label: words }) => [words, ...shares({ scenario: name })]);
  return {
    title,
    head: ['damage', 'direct', 'share, direct', 'with the proxy', 'share, with the proxy'],
    rows: [...rows, ['total', ...shares({})]],
  };
};

const homesTable = (homes: readonly HomeComparison[]): BenchTable => ({
  title: 'Home folders',
  head: [
    'agent',
    'files and fields that both runs created',
    'only the direct run',
    'only the launched run',
    'settings left behind',
  ],
  rows: homes.map(({ agent, both, onlyDirect, onlyLaunched, leaks }) => [
    label(agent),
    String(both),
    onlyDirect.join(', ') || 'none',
    onlyLaunched.join(', ') || 'none',
    leaks.join(', ') || 'none',
  ]),
});

function barsOf(cells: readonly CellResult[], homes: readonly HomeComparison[]): BenchBar[] {
  const all = (what: string, group: Group): BenchBar => {
    const count = countOf(cells, { group, way: 'proxy' });
    return { what, figure: ofText(count), bar: 'all', met: count.right === count.of };
  };
  const none = (what: string, group: Group): BenchBar => {
    const { right, of } = countOf(cells, { group, way: 'proxy' });
    const figure = executedOf(cells, { group, way: 'proxy' });
    return { what, figure, bar: '0, and all reach the agent', met: right === of };
  };
  const overall = countOf(cells, { group: 'damage', way: 'proxy' });
  const perAgent = agentsIn(cells).map((agent): BenchBar => {
    const count = countOf(cells, { agent, group: 'damage', way: 'proxy' });
    const least = Math.min(bars.damages, count.of);
    return {
      what: `${label(agent)}: damages with the proxy`,
      figure: ofText(count),
      bar: `at least ${least}`,
      met: count.right >= least,
    };
  });
  const same = homes.filter(({ onlyLaunched, leaks }) => onlyLaunched.length + leaks.length === 0);
  return [
    {
      what: 'damaged calls with the proxy',
      figure: percent(overall),
      bar: `at least ${bars.overall} %`,
      met: (100 * overall.right) / overall.of >= bars.overall,
    },
    ...perAgent,
    all('sound calls with the proxy', 'control'),
    none('quoted calls executed with the proxy', 'quoted'),
    none('truncated calls executed with the proxy', 'truncated'),
    all('strict chat templates with the proxy', 'template'),
    all('32k contexts with the proxy', 'context'),
    all('llama-server and Ollama with the proxy', 'server'),
    ...(homes.length > 0
      ? [
          {
            what: 'home folders in which `launch` leaves nothing that a direct run does not',
            figure: `${same.length} of ${homes.length}`,
            bar: 'all',
            met: same.length === homes.length,
          },
        ]
      : []),
  ];
}

/** The figures of a run. */
export const agentFigures = (cells: readonly CellResult[], homes: readonly HomeComparison[]): Figures => ({
  name: 'agents',
  command: 'npm run agents',
  tables: [
    agentTable(cells),
    damageTable(cells, 'damage', 'Damages at a server with the OpenAI API'),
    damageTable(cells, 'own-format', 'Claude Code and Codex at a server with their own API format'),
    ...(homes.length > 0 ? [homesTable(homes)] : []),
  ],
  bars: barsOf(cells, homes),
});
