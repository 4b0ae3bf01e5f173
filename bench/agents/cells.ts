/** The cells of the table, and the store of their results. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRow } from './agent-rows.ts';
import { agentsFolder } from './install-agents.ts';
import type { CellResult } from './run-cell.ts';
import { type Scenario, scenarios, type Way } from './scenarios.ts';

/** A cell to run. */
export interface Cell {
  readonly row: AgentRow;
  readonly scenario: Scenario;
  readonly way: Way;
}

/** Which cells to run; a missing list stands for all. */
export interface CellFilter {
  readonly agent?: readonly string[] | undefined;
  /** Names or groups of scenarios. */
  readonly damage?: readonly string[] | undefined;
  readonly way?: readonly string[] | undefined;
}

const isIn = (list: readonly string[] | undefined, ...names: readonly string[]): boolean =>
  list === undefined || names.some((name) => list.includes(name));

/** The cells that match, agent by agent. */
export const cellsOf = (rows: readonly AgentRow[], { agent, damage, way }: CellFilter): Cell[] =>
  rows.flatMap((row) =>
    scenarios.flatMap((scenario) => {
      const { name, group, ways, only } = scenario;
      if (!isIn(agent, row.agent.name) || !isIn(damage, name, group) || only?.(row) === false) return [];
      return ways.filter((one) => isIn(way, one)).map((one) => ({ row, scenario, way: one }));
    }),
  );

/** The name of a cell. */
export const cellName = (agent: string, scenario: string, way: Way): string => `${agent} ${scenario} ${way}`;

/** A result, with the commit of the code that it is from. */
export interface StoredCell extends CellResult {
  readonly commit: string;
}

/** Results of earlier runs, by the name of the cell. */
export interface CellStore {
  readonly cells: ReadonlyMap<string, StoredCell>;
  add(result: StoredCell): void;
}

/** Opens the store. Every result is written at once, so that a run can be resumed. */
export function openCellStore(name: string): CellStore {
  const file = join(agentsFolder, `${name}.json`);
  const all: StoredCell[] = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StoredCell[]) : [];
  const cells = new Map(all.map((cell) => [cellName(cell.agent, cell.scenario, cell.way), cell]));
  return {
    cells,
    add: (result) => {
      cells.set(cellName(result.agent, result.scenario, result.way), result);
      mkdirSync(agentsFolder, { recursive: true });
      writeFileSync(`${file}.new`, `${JSON.stringify([...cells.values()], null, 1)}\n`);
      renameSync(`${file}.new`, file);
    },
  };
}
