/** Weighs the root entry, minified and compressed, against its limits. Run: `npm run size`. */
import { gzipSync } from 'node:zlib';
import { bundle, type Part } from './bundle.ts';

const KB = 1024;
const limits: readonly { part: Part; label: string; limit: number }[] = [
  { part: 'own', label: 'our own part', limit: 40 * KB },
  { part: 'all', label: 'with dependencies', limit: 140 * KB },
];

const inKb = (bytes: number): string => `${(bytes / KB).toFixed(1)} KB`.padStart(9);

for (const { part, label, limit } of limits) {
  const code = await bundle('src/index.ts', part);
  const packed = gzipSync(code, { level: 9 }).length;
  const over = packed > limit;
  console.log(
    `${label.padEnd(18)}${inKb(packed)} of ${inKb(limit)}${over ? '  too big' : ''}  (${inKb(code.length).trim()} minified)`,
  );
  if (over) process.exitCode = 1;
}
