/**
 * `npm run bench:mend`: what mending costs, against the peers, within one run. Prints a table, draws docs/bench-mend.svg,
 * writes .bench/mend.json, and ends with 1 when a bar is missed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { chartOf } from './chart.ts';
import { goodAndDamaged } from './good-and-damaged.ts';
import { passes, tableOf } from './result.ts';
import { streaming } from './streaming.ts';
import { toolboxes } from './toolboxes.ts';

const results = [...goodAndDamaged(), ...toolboxes(), ...(await streaming())];
console.log(tableOf(results));

const at = (path: string): URL => new URL(`../${path}`, import.meta.url);
mkdirSync(at('.bench'), { recursive: true });
mkdirSync(at('docs'), { recursive: true });
writeFileSync(at('.bench/mend.json'), `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
writeFileSync(at('docs/bench-mend.svg'), chartOf(results));

const missed = results.filter((result) => !passes(result));
console.log(
  missed.length === 0
    ? '\nEvery bar is met.'
    : `\nMissed: ${missed.map(({ group, name }) => `${group}, ${name}`).join('; ')}`,
);
if (missed.length > 0) process.exitCode = 1;
