/**
 * Measures the root entry and `toolmend/json`, minified and compressed. `npm run size` fails if a target is missed, as the benchmarks do.
 * `npm test` runs it with `--cap`, which only keeps the size from growing.
 */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundle } from './bundle.ts';
import { sizeBars } from './size-bars.ts';

const KB = 1024;
const inKb = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`.padStart(9);
const capped = process.argv.includes('--cap');

for (const { label, entry, part, names, bar, cap } of sizeBars) {
  const code = await bundle(entry, part, names);
  const packed = gzipSync(code, { level: 9 }).length;
  const over = packed > bar ? `  over the bar by ${inKb(packed - bar).trim()}` : '';
  const also = `${inKb(code.length).trim()} minified, ${inKb(brotliCompressSync(code).length).trim()} in Brotli`;
  console.log(`${label.padEnd(42)}${inKb(packed)} of ${inKb(bar)}${over}  (${also})`);
  if (packed > (capped ? cap : bar)) process.exitCode = 1;
}
