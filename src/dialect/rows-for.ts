import type { Dialect } from './dialect.ts';
import { dialects } from './table.ts';

const byName = new Map(dialects.map((row) => [row.name, row]));
/** Lists of one row, each made once, so that what is worked out for a list is found again. */
const alone = new WeakMap<Dialect, readonly Dialect[]>();
const auto = dialects.filter((row) => !row.manual);
/** Without what has no markers: an answer that was asked for is read in more ways than these. */
const marked = auto.map((row) => ({ ...row, forms: row.forms.filter(({ bare, code }) => !bare && !code) }));

/** Only what has none: a whole answer in one of these is a call where no tools are known. A fence shows what it holds. */
export const answerRows = auto
  .map(({ think: _, drop: __, sections: ___, frame: ____, ...row }) => ({
    ...row,
    forms: row.forms.filter(({ bare, open }) => bare && !open.includes('```')),
  }))
  .filter(({ forms }) => forms.length > 0);

/** The rows that a dialect's name stands for; all that can be told apart where none is named. */
export function rowsFor(
  dialect: string | Dialect | undefined,
  prompted = false,
): { rows: readonly Dialect[]; named: boolean } {
  if (dialect === undefined || dialect === 'auto') return { rows: prompted ? marked : auto, named: false };
  const row = typeof dialect === 'object' ? dialect : byName.get(dialect);
  if (!row) throw new Error(`There is no dialect '${dialect}'; there are: ${[...byName.keys()].join(', ')}`);
  const rows = alone.get(row) ?? [row];
  alone.set(row, rows);
  return { rows, named: true };
}
