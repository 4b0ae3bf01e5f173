/**
 * `npm run fuzz -- collisions [count] [seed] [options]`: writes originals with one mistake each and reports every text that is
 * accepted though another original gives it too; exit 1 where there is one.
 *
 * --base COMMIT     searches the source of a commit
 * --source DIR      searches the source in a folder that holds `src/`
 * --mistake TEXT    only mistakes whose names hold this; --template TEXT likewise
 * --dialects        searches calls in dialects too
 * --enough N        stops when so many are found
 * --each N          how many findings of a class are printed (default: 3)
 */
import { parseArgs } from 'node:util';
import { copySource } from './copy-source.ts';
import { reportOf } from './report.ts';
import { search } from './search.ts';
import { loadSource } from './source.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string' },
    source: { type: 'string', default: process.cwd() },
    mistake: { type: 'string', default: '' },
    template: { type: 'string', default: '' },
    each: { type: 'string', default: '3' },
    enough: { type: 'string' },
    dialects: { type: 'boolean', default: false },
  },
});
const { base, source, mistake, template, each, enough, dialects } = values;
const [texts = 200_000, seed = Math.trunc(Math.random() * 2 ** 31)] = positionals.map(Number);
const copy = base === undefined ? undefined : copySource(base);
try {
  const started = performance.now();
  const result = search(await loadSource(copy?.folder ?? source), {
    texts,
    seed,
    mistake,
    template,
    dialects,
    ...(enough === undefined ? {} : { enough: Number(enough) }),
  });
  console.log(reportOf(result, Number(each)));
  console.log(`\nseed ${seed}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (result.findings.length > 0) process.exitCode = 1;
} finally {
  copy?.dispose();
}
