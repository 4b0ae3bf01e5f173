/** Writes `docs/agents/results.json`, and from it the tables and the chart of `docs/agents.md` and the versions on the agents' pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { BenchTable } from '../bench-result.ts';
import type { Figures } from '../claims.ts';
import { barColours, groupedBars } from '../grouped-bars.ts';
import { type Machine, machine } from '../machine.ts';
import { markdownTable } from '../report-page.ts';
import { agentRows } from './agent-rows.ts';
import type { StoredCell } from './cells.ts';
import type { StoredHome } from './compare-homes.ts';
import type { CellResult } from './run-cell.ts';
import { agentFigures, agentsIn, countOf } from './summary.ts';

/** The content of `docs/agents/results.json`. */
export interface AgentResults {
  /** The commits of the code that the cells are from. */
  readonly commits: readonly string[];
  readonly date: string;
  readonly machine: Machine;
  /** Whether the agents could reach nothing but the fake server. */
  readonly isolated: boolean;
  readonly figures: Figures;
  readonly homes: readonly StoredHome[];
  readonly cells: readonly StoredCell[];
}

const docs = new URL('../../docs/', import.meta.url);
const page = new URL('agents.md', docs);
const resultsFile = new URL('agents/results.json', docs);
const chartFile = new URL('agents/damages.svg', docs);

/** What a complete run measured. */
export interface Measured {
  readonly isolated: boolean;
  readonly cells: readonly StoredCell[];
  readonly homes: readonly StoredHome[];
}

/** Writes everything that is generated from a run. */
export function writePages({ isolated, cells, homes }: Measured): Figures {
  const figures = agentFigures(cells, homes);
  const results: AgentResults = {
    commits: [...new Set(cells.map(({ commit }) => commit))],
    date: new Date().toISOString(),
    machine: machine(),
    isolated,
    figures,
    homes,
    cells,
  };
  writeFileSync(resultsFile, inLines(results));
  for (const [file, text] of generatedPages(results)) writeFileSync(file, text);
  return figures;
}

/** The published results. */
export const publishedResults = (): AgentResults => JSON.parse(readFileSync(resultsFile, 'utf8')) as AgentResults;

/** All files that are generated from results, with their content. */
export function generatedPages(results: AgentResults): [file: URL, text: string][] {
  const { cells } = results;
  const ofAgents = agentRows.flatMap(({ agent: { name } }): [URL, string][] => {
    const version = cells.find((cell) => cell.agent === name)?.version;
    const words = `Version ${version}, on Linux, with [${cellsWords(cells, name)}](../agents.md).`;
    const file = new URL(`agents/${name}.md`, docs);
    return version === undefined ? [] : [[file, replacedIn(file, 'tested', words)]];
  });
  return [[chartFile, chartOf(cells)], [page, replacedIn(page, 'results', resultsText(results))], ...ofAgents];
}

const cellsWords = (cells: readonly CellResult[], agent: string): string => {
  const { right, of } = countOf(cells, { agent, group: 'damage', way: 'proxy' });
  return `${right} of ${of} damaged calls mended`;
};

/** JSON with one line for each cell, so that changes are readable. */
function inLines({ cells, ...others }: AgentResults): string {
  const head = JSON.stringify(others, null, 1).replace(/\n\}$/, '');
  return `${head},\n "cells": [\n${cells.map((cell) => `  ${JSON.stringify(cell)}`).join(',\n')}\n ]\n}\n`;
}

function chartOf(cells: readonly CellResult[]): string {
  const share = (agent: string, way: CellResult['way']): number => {
    const { right, of } = countOf(cells, { agent, group: 'damage', way });
    return of === 0 ? 0 : (100 * right) / of;
  };
  const labels = new Map(agentRows.map(({ agent }) => [agent.name, agent.label]));
  return groupedBars({
    label: 'Share of damaged calls that agents run as intended, by agent: without the proxy, and with it',
    title: '% of damaged calls that the agent runs as intended',
    series: [
      { words: 'without the proxy', colour: barColours.without },
      { words: 'with the proxy', colour: barColours.with },
    ],
    rows: agentsIn(cells).map((agent) => ({
      name: labels.get(agent) ?? agent,
      values: [share(agent, 'direct'), share(agent, 'proxy')],
    })),
  });
}

/** The columns of a table, by their position. */
const columns = ({ head, rows }: BenchTable, ...at: readonly number[]): string =>
  markdownTable({
    head: at.map((index) => head[index] ?? ''),
    rows: rows.map((row) => at.map((index) => row[index] ?? '')),
  });

function resultsText({ commits, date, machine: { node, system }, isolated, figures, homes }: AgentResults): string {
  const [agents, damages, own, home] = figures.tables as [BenchTable, BenchTable, BenchTable, BenchTable | undefined];
  const missed = figures.bars.filter(({ met }) => !met);
  return [
    `Measured on ${date.slice(0, 10)} at commit ${commits.join(' and ')}, ${system}, Node ${node}${isolated ? '' : ', with access to the network'}. `.trimEnd(),
    '',
    '![Share of damaged calls that agents run as intended, by agent: without the proxy, and with it](agents/damages.svg)',
    '',
    columns(agents, 0, 1, 2, 3, 4, 5),
    '',
    '### Damages',
    '',
    columns(damages, 0, 1, 3, 4),
    '',
    '### Claude Code and Codex at a server with their API format',
    '',
    'Newer versions of model servers have the APIs of Claude Code and Codex. The agents then start without the proxy, but damaged calls fail:',
    '',
    columns(own, 0, 1, 3, 4),
    '',
    '### Attacks and servers',
    '',
    columns(agents, 0, 6, 7, 8, 9, 10, 11, 12, 13),
    '',
    ...(home && homes.length > 0
      ? ['### Home folders', '', ...atCommit(homes, commits), markdownTable({ head: home.head, rows: home.rows }), '']
      : []),
    missed.length === 0
      ? `All ${figures.bars.length} limits are met.`
      : `Missed: ${missed.map(({ what, figure, bar }) => `${what} (${figure}, limit: ${bar})`).join('; ')}.`,
  ].join('\n');
}

/** The commit of the home folders, if it is another one. */
function atCommit(homes: readonly StoredHome[], commits: readonly string[]): string[] {
  const own = [...new Set(homes.map(({ commit }) => commit))].filter((commit) => !commits.includes(commit));
  return own.length === 0 ? [] : [`Measured at commit ${own.join(' and ')}:`, ''];
}

/** A page with another text between two marks. */
function replacedIn(file: URL, mark: string, text: string): string {
  const before = readFileSync(file, 'utf8');
  const pattern = new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*(<!-- /${mark} -->)`);
  if (!pattern.test(before)) throw new Error(`${file.pathname} has no part <!-- ${mark} -->`);
  return before.replace(pattern, (_, from: string, to: string) => `${from}${text}\n${to}`);
}
