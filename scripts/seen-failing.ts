/**
 * Shows that new tests can fail: runs every test file that changed since a commit against the source of that commit.
 * Run: `npm run seen-failing -- --base COMMIT [--json] [PATH …]`. Exit code 1 where a new test passes on the older source
 * without being a guard, or fails on today's.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRuns, showComparison, type TestStates, testStates } from './compare-runs.ts';
import type { TestReport } from './security-report.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: { base: { type: 'string' }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
if (values.base === undefined) {
  console.error('Missing --base COMMIT: the commit whose source the new tests run against.');
  process.exit(2);
}
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
const base = git('rev-parse', '--verify', `${values.base}^{commit}`).trim();

const isTest = (file: string): boolean => file.endsWith('.test.ts');
/** Source is what the older commit gives; tests and all that they use come from here. */
const isSource = (file: string): boolean => /^(?:src|web)\//.test(file) && !isTest(file);
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const files = lines(git('ls-files', '--cached', '--others', '--exclude-standard'));
const changed = new Set([
  ...lines(git('diff', '--name-only', '--diff-filter=d', base)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
]);
const tests = [...changed].filter(
  (file) =>
    isTest(file) &&
    /^(?:src|test|web)\//.test(file) &&
    (positionals.length === 0 || positionals.some((path) => file.startsWith(path))),
);

const folder = mkdtempSync(join(tmpdir(), 'toolmend-seen-failing-'));

/** Lays out the older commit, with its own tests or with today's, beside the recorded data where there is some. */
function layOut(name: string, todaysTests: boolean): string {
  const target = join(folder, name, 'repo');
  mkdirSync(target, { recursive: true });
  const tar = execFileSync('git', ['archive', '--format=tar', base], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', target], { input: tar });
  if (todaysTests)
    for (const file of files.filter((one) => !isSource(one) && existsSync(join(root, one)))) {
      mkdirSync(dirname(join(target, file)), { recursive: true });
      cpSync(join(root, file), join(target, file));
    }
  symlinkSync(join(root, 'node_modules'), join(target, 'node_modules'));
  const shared = join(root, '..', 'shared');
  if (existsSync(shared)) symlinkSync(shared, join(folder, name, 'shared'));
  return target;
}

function runTests(where: string, some: readonly string[]): TestStates {
  if (some.length === 0) return new Map();
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--reporter=json', `--outputFile=${file}`, ...some];
  const { stderr } = spawnSync(process.execPath, args, { cwd: where, encoding: 'utf8', maxBuffer: 1 << 30 });
  if (!existsSync(file)) throw new Error(`vitest wrote no report:\n${stderr}`);
  return testStates(JSON.parse(readFileSync(file, 'utf8')) as TestReport, where);
}

try {
  console.error(`${tests.length} test files changed since ${base.slice(0, 7)}.`);
  console.error('Running them on the source of today …');
  const here = runTests(root, tests);
  console.error('Running them on the older source …');
  const there = runTests(layOut('overlaid', true), tests);
  console.error('Looking at which of them are new …');
  const old = layOut('older', false);
  const before = runTests(
    old,
    tests.filter((file) => existsSync(join(old, file))),
  );
  const found = compareRuns(here, there, before);
  console.log(values.json ? JSON.stringify(found, null, 2) : showComparison(found));
  process.exitCode = found.idle.length + found.broken.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
