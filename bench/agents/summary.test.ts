import { describe, expect, it } from 'vitest';
import { agentRows } from './agent-rows.ts';
import { type Cell, cellsOf } from './cells.ts';
import type { HomeComparison } from './compare-homes.ts';
import type { CellResult } from './run-cell.ts';
import { agentFigures } from './summary.ts';

const resultOf = ({ row, scenario, way }: Cell): CellResult => ({
  agent: row.agent.name,
  version: '1.0.0',
  scenario: scenario.name,
  group: scenario.group,
  way,
  right: true,
  reached: true,
  file: { name: scenario.file.name, content: scenario.file.content ?? null },
  transcript: '',
  requests: 1,
  exit: 0,
  timedOut: false,
  seconds: 1,
});
const all = cellsOf(agentRows, {}).map(resultOf);
const home: HomeComparison = { agent: 'pi', version: '1', both: 3, onlyDirect: [], onlyLaunched: [], leaks: [] };

/** The bars that are missed if some cells differ. */
const missed = (
  differs: (cell: CellResult) => Partial<CellResult> | undefined,
  homes: HomeComparison[] = [],
): string[] =>
  agentFigures(
    all.map((cell) => ({ ...cell, ...differs(cell) })),
    homes,
  )
    .bars.filter(({ met }) => !met)
    .map(({ what }) => what);

it('the table has all eleven agents, with 13 damages both ways', () => {
  const [agents, damages] = agentFigures(all, []).tables;
  expect(agents?.rows).toHaveLength(13);
  expect(agents?.rows.at(-1)?.slice(0, 3)).toEqual(['total of the 8 agents with the OpenAI API', '', '104 of 104']);
  expect(agents?.rows[0]?.slice(0, 4)).toEqual(['Claude Code', '1.0.0', '13 of 13', '13 of 13']);
  expect(damages?.rows.at(-1)).toEqual(['total', '143 of 143', '100.0 %', '143 of 143', '100.0 %']);
});

describe('bars', () => {
  it('are met if everything is right, whatever happens without the proxy', () => {
    expect(missed(() => undefined)).toEqual([]);
    expect(missed(({ way }) => (way === 'direct' ? { right: false } : undefined))).toEqual([]);
  });

  const wrong = { right: false };
  it.each<[string, (cell: CellResult) => Partial<CellResult> | undefined, string]>([
    [
      'two damages of an agent',
      ({ agent, scenario, way }) =>
        agent === 'pi' && way === 'proxy' && ['comma', 'python'].includes(scenario) ? wrong : undefined,
      'pi: damages with the proxy',
    ],
    [
      'a sound call',
      ({ agent, group, way }) => (agent === 'pi' && group === 'control' && way === 'proxy' ? wrong : undefined),
      'sound calls with the proxy',
    ],
    [
      'a quoted call that is executed',
      ({ agent, scenario }) =>
        agent === 'pi' && scenario === 'quoted-end' ? { right: false, file: { name: '', content: 'x' } } : undefined,
      'quoted calls executed with the proxy',
    ],
    [
      'an attack that never reached the agent',
      ({ agent, scenario, way }) =>
        agent === 'pi' && scenario === 'truncated-text' && way === 'proxy'
          ? { right: false, reached: false }
          : undefined,
      'truncated calls executed with the proxy',
    ],
    [
      'templates',
      ({ group, way }) => (group === 'template' && way === 'proxy' ? wrong : undefined),
      'strict chat templates with the proxy',
    ],
    [
      'contexts',
      ({ group, way }) => (group === 'context' && way === 'proxy' ? wrong : undefined),
      '32k contexts with the proxy',
    ],
    ['servers', ({ group }) => (group === 'server' ? wrong : undefined), 'llama-server and Ollama with the proxy'],
  ])('are missed with %s', (_, differs, expected) => {
    expect(missed(differs)).toEqual([expected]);
  });

  it('are missed overall before they are missed for an agent', () => {
    const one = ({ scenario, way }: CellResult) => (scenario === 'comma' && way === 'proxy' ? wrong : undefined);
    expect(missed(one)).toEqual(['damaged calls with the proxy']);
  });

  it.each<[string, Partial<HomeComparison>, boolean]>([
    ['leaves a file', { onlyLaunched: ['a'] }, true],
    ['leaves a token', { leaks: ['a'] }, true],
    ['leaves fewer files', { onlyDirect: ['a'] }, false],
  ])('are missed if a launched run %s: %j, %s', (_, differs, isMissed) => {
    expect(missed(() => undefined, [{ ...home, ...differs }])).toHaveLength(isMissed ? 1 : 0);
  });
});
