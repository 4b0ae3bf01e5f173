/**
 * Runs the tests of every guarantee about faults and attacks, and prints them by guarantee, as Markdown.
 * Run: `npm run --silent security`; `-- --json` for programs. Exit code 1 if a guarantee is broken or has no test, or if a
 * test file could not be run.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokenFiles, securityReport, showSecurityReport } from './security-report.ts';
import { securityRows } from './security-rows.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'toolmend-security-'));
const file = join(folder, 'report.json');
const names = securityRows.map(([row]) => row).join('|');
const args = ['run', '--reporter=json', `--outputFile=${file}`, '--testNamePattern', `\\b(?:${names})\\b`];
console.error(`Running the tests of ${securityRows.length} promises; that takes some minutes.`);
try {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const env = { ...process.env, TOOLMEND_LONG: '1' };
  const { stderr } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, env, encoding: 'utf8' });
  process.stderr.write(stderr);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const rows = securityReport(securityRows, report, root);
  const broken = brokenFiles(report, root);
  console.log(process.argv.includes('--json') ? JSON.stringify(rows, null, 2) : showSecurityReport(rows));
  if (broken.length > 0) console.error(`Broke before their tests began: ${broken.join(', ')}`);
  process.exitCode = broken.length === 0 && rows.every(({ state }) => state === 'holds') ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
