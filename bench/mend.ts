/**
 * `npm run bench:mend`: compares the cost of mending with other libraries, in one run. Prints a table, and writes its result for the
 * report. Exits with 1 if a bar is missed.
 */
import { writeResult } from './bench-result.ts';
import { chartOf } from './chart.ts';
import { fromLines } from './from-lines.ts';
import { goodAndDamaged } from './good-and-damaged.ts';
import { peerVersions } from './peers.ts';
import { passes, tableOf } from './result.ts';
import { toolboxes } from './toolboxes.ts';
import { versionsOf } from './versions-of.ts';

const results = [...goodAndDamaged(), ...toolboxes()];
console.log(tableOf(results));

writeResult({
  name: 'mend',
  title: 'Mending speed',
  command: 'npm run bench:mend',
  about:
    'Valid calls are compared with `JSON.parse` and compiled ajv. Calls with eight kinds of damage are compared with jsonrepair, `JSON.parse` and ajv, for the calls that both mend. The benchmark also looks up names among 1,000 tools and adds 1,000 tools. Figures are medians of CPU time over alternating rounds.',
  ...fromLines(results),
  charts: [{ file: 'mend.svg', alt: 'Each mending benchmark compared with its limit', svg: chartOf(results).trim() }],
  versions: { ...versionsOf('ajv'), ...peerVersions },
});

const missed = results.filter((result) => !passes(result));
console.log(
  missed.length === 0
    ? '\nEvery bar is met.'
    : `\nMissed: ${missed.map(({ group, name }) => `${group}, ${name}`).join('; ')}`,
);
if (missed.length > 0) process.exitCode = 1;
