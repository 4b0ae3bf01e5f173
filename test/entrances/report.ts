/**
 * Takes every case through every entrance, prints the table, and writes it into the docs.
 * Run: `npm run conformance`; exit 1 when something came out otherwise.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { writeResult } from '../../bench/bench-result.ts';
import { versionsOf } from '../../bench/versions-of.ts';
import type { Case } from './case.ts';
import { caseClasses } from './cases.ts';
import { type Cell, triedCell } from './cell.ts';
import type { Entrance } from './entrance.ts';
import { entrances } from './entrances.ts';
import { tableOf } from './table.ts';

const page = new URL('../../docs/bench/conformance.md', import.meta.url);
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
const counts = entrances.map((entrance) => {
  const tried = [...(cells.get(entrance)?.values() ?? [])].filter(({ type }) => type !== 'cannot');
  const of = (type: Cell['type']): number => tried.filter((one) => one.type === type).length;
  return { name: entrance.name, tried: tried.length, same: of('same'), differs: of('differs'), wrong: of('wrong') };
});
const total = (of: (one: (typeof counts)[number]) => number): number => counts.reduce((sum, one) => sum + of(one), 0);
const different = entrances.flatMap(({ name, differs = {} }) =>
  Object.entries(differs).map(([one, why]) => ({
    name,
    words: `"${one}" differs from the library: ${why}`,
  })),
);
const reasons = [...new Set(different.map(({ words }) => words))].map(
  (words) => `${words} (${different.flatMap((one) => (one.words === words ? [one.name] : [])).join('; ')}).`,
);
writeResult({
  name: 'entrances',
  title: 'Conformance',
  command: 'npm run conformance',
  about:
    "One table of cases runs through every entry point: the library, the agent loop, the proxy in five API formats, the command line, the MCP gateway and three frameworks. The outcome, the repairs, the call, the tool's input and the feedback must be exactly the same as in the library. Cases that can't be tested at an entry point don't count for it.",
  tables: [
    {
      head: ['entry point', 'testable cases', 'same result'],
      rows: counts.map(({ name, tried, same }) => [name, String(tried), String(same)]),
    },
  ],
  bars: [
    {
      what: 'cases with the same result as in the library',
      figure: `${total(({ same }) => same)} of ${total(({ tried }) => tried)}`,
      bar: 'all except known differences',
      met: total(({ wrong }) => wrong) === 0,
    },
  ],
  charts: [],
  losses: reasons,
  versions: versionsOf('ai', '@langchain/core', '@openai/agents', '@modelcontextprotocol/client'),
});
process.exitCode = [...cells.values()].some((own) => [...own.values()].some(({ type }) => type === 'wrong')) ? 1 : 0;
