import { harmless } from '../colour.ts';
import { columnsOf, cutTo } from '../columns.ts';
import type { Page } from '../show-outcome.ts';
import type { ListedRun } from './list-runs.ts';

const heads = ['run', 'state', 'age', 'turns', 'calls', 'repairs'] as const;

/** The list as people read it: a line for each run, what it was asked at the end as far as there is room. */
export function showList(runs: readonly ListedRun[], { paint, width }: Page, now = Date.now()): string {
  if (runs.length === 0) return 'there are no runs\n';
  const rows = runs.map((run) => [
    ...[shortId(run.run), run.state, age(now - run.updatedAt)],
    ...[run.turns, run.calls, run.repairs].map(String),
  ]);
  const sizes = heads.map((head, at) => Math.max(head.length, ...rows.map((row) => columnsOf(row[at] ?? ''))));
  const line = (cells: readonly string[]): string => cells.map((cell, at) => cell.padEnd(sizes[at] ?? 0)).join('  ');
  const room = width - sizes.reduce((sum, size) => sum + size + 2, 0);
  const asked = ({ asked: text }: ListedRun): string => (room < 8 ? '' : `  ${cutTo(harmless(text), room)}`);
  const lines = runs.map((run, at) => `${line(rows[at] ?? [])}${asked(run)}`.trimEnd());
  return `${[paint.dim(`${line(heads)}${room < 8 ? '' : '  asked'}`.trimEnd()), ...lines].join('\n')}\n`;
}

/** Enough of an id to find it again. */
const shortId = (id: string): string => id.slice(0, 16);

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
] as const;

function age(ms: number): string {
  const unit = units.find(([, size]) => ms >= size);
  return unit ? `${Math.floor(ms / unit[1])}${unit[0]}` : `${Math.max(0, Math.floor(ms / 1000))}s`;
}
