/**
 * Takes every case through every entrance, prints the table, and writes it into the docs.
 * Run: `npm run conformance`; exit 1 when something came out otherwise.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Case } from './case.ts';
import { caseClasses } from './cases.ts';
import { type Cell, triedCell } from './cell.ts';
import type { Entrance } from './entrance.ts';
import { entrances } from './entrances.ts';
import { tableOf } from './table.ts';

const page = new URL('../../docs/entrances.md', import.meta.url);
const cells = new Map<Entrance, Map<Case, Cell>>();
for (const entrance of entrances) {
  const open = await entrance.open();
  const own = new Map<Case, Cell>();
  cells.set(entrance, own);
  try {
    for (const { name: kind, cases } of caseClasses) {
      for (const one of cases) {
        const cell = await triedCell(entrance, open, one);
        own.set(one, cell);
        if (cell.type === 'wrong')
          console.error(`${entrance.name}: ${kind}: ${one.name}\n  ${cell.faults.join('\n  ')}`);
      }
    }
  } finally {
    await open.close();
  }
}
const table = tableOf(caseClasses, entrances, (entrance, one) => cells.get(entrance)?.get(one) as Cell);
console.log(table);
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(
    /(<!-- entrances -->\n).*(<!-- \/entrances -->)/s,
    (_, from, to) => `${from}${table}\n${to}`,
  ),
);
process.exitCode = [...cells.values()].some((own) => [...own.values()].some(({ type }) => type === 'wrong')) ? 1 : 0;
