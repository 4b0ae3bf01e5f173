import type { Dialect } from './dialect.ts';
import { dialects } from './table.ts';

const byName = new Map(dialects.map((row) => [row.name, row]));
const auto = dialects.filter((row) => !row.manual);

/** The rows that a dialect's name stands for; all that can be told apart where none is named. */
export function rowsFor(dialect: string | Dialect | undefined): { rows: readonly Dialect[]; named: boolean } {
  if (dialect === undefined || dialect === 'auto') return { rows: auto, named: false };
  if (typeof dialect === 'object') return { rows: [dialect], named: true };
  const row = byName.get(dialect);
  if (!row) throw new Error(`There is no dialect '${dialect}'; there are: ${[...byName.keys()].join(', ')}`);
  return { rows: [row], named: true };
}
