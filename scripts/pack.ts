/**
 * Builds the package and packs it into a folder: `toolmend.tgz`, and npm's report of it, `report.json`. All checks of the
 * package use this one. Run: `node scripts/pack.ts FOLDER`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const [into = join(root, '.bench/package')] = process.argv.slice(2);

const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts')], { stdio: 'inherit' });
if (status !== 0) process.exit(1);
mkdirSync(into, { recursive: true });
const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', into];
const [report] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
renameSync(join(into, report.filename), join(into, 'toolmend.tgz'));
// Written last: if it exists, the package is complete.
writeFileSync(join(into, 'report.json'), JSON.stringify(report));
