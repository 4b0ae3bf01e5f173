/**
 * `npm run bench:mend`: what mending costs, against the peers, within one run. Prints a table, leaves its result for the
 * report, and ends with 1 when a bar is missed.
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
  ...{ name: 'mend', title: 'What mending costs', command: 'npm run bench:mend' },
  about:
    'A good call against `JSON.parse` and compiled ajv; calls damaged in eight ways against jsonrepair before them, of those that both mend; names among 1,000 tools; adding 1,000 tools. Times are those of the processor, medians over rounds in which each takes its turn.',
  ...fromLines(results),
  charts: [
    { file: 'mend.svg', alt: 'Each figure of what mending costs against its bar', svg: chartOf(results).trim() },
  ],
  versions: { ...versionsOf('ajv'), ...peerVersions },
});

const missed = results.filter((result) => !passes(result));
console.log(
  missed.length === 0
    ? '\nEvery bar is met.'
    : `\nMissed: ${missed.map(({ group, name }) => `${group}, ${name}`).join('; ')}`,
);
if (missed.length > 0) process.exitCode = 1;
