/** The published results are complete, from one commit, and what the docs show. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { agentRows } from './agent-rows.ts';
import { cellName, cellsOf } from './cells.ts';
import { agentFigures } from './summary.ts';
import { generatedPages, publishedResults } from './write-pages.ts';

const results = publishedResults();
const { cells, homes, figures, commits, isolated } = results;

describe('results.json', () => {
  it('has every cell once, in order', () => {
    expect(cells.map(({ agent, scenario, way }) => cellName(agent, scenario, way))).toEqual(
      cellsOf(agentRows, {}).map(({ row, scenario, way }) => cellName(row.agent.name, scenario.name, way)),
    );
  });

  it('is of one commit, of the pinned versions, and without a network', () => {
    expect(commits).toHaveLength(1);
    expect(commits[0]).toMatch(/^[0-9a-f]{7,40}$/);
    expect(new Set(cells.map(({ commit }) => commit))).toEqual(new Set(commits));
    const pinned = new Map(agentRows.map(({ agent, packages }) => [agent.name, Object.values(packages)[0]]));
    for (const { agent, version } of [...cells, ...homes]) expect(version).toBe(pinned.get(agent));
    expect(isolated).toBe(true);
  });

  it('has a transcript and a file for each cell, and no cell that only took too long', () => {
    for (const { transcript, file, timedOut, way } of cells) {
      expect(transcript).toMatch(/^[0-9a-f]{64}$/);
      expect(file.name).not.toBe('');
      if (way === 'proxy') expect(timedOut).toBe(false);
    }
  });

  it('compares the home folders of all agents', () => {
    expect(homes.map(({ agent }) => agent)).toEqual(agentRows.map(({ agent }) => agent.name));
  });

  it('has the figures that its cells come to, and meets all limits', () => {
    expect(figures).toEqual(JSON.parse(JSON.stringify(agentFigures(cells, homes))));
    expect(figures.bars.filter(({ met }) => !met)).toEqual([]);
  });
});

it.each(generatedPages(results).map(([file, text]) => ({ name: file.pathname.split('/docs/')[1], file, text })))(
  'docs/$name is generated from the results',
  ({ file, text }) => {
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);
