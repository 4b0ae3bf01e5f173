/**
 * Shows that new tests can fail: runs every test that is new since a commit against the source of that commit, with today's
 * names mapped to the older ones (`moved.json` lists what the names don't show, unless it did so in that commit already).
 * Run: `npm run seen-failing -- --base COMMIT [OPTION …] [PATH …]`. Exit code 1 if a new test passes on the older source
 * without being a guard, or fails on today's. Checks of the repository itself (`repositoryChecks`) are only counted.
 *
 * --json           prints every new test
 * --reports DIR    stores results there, and skips files that have one
 * --limit SECONDS  time limit for each part of the run (default: 300)
 * --older-only     skips the run on today's source
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRuns, isGuard, showComparison } from './compare-runs.ts';
import table from './moved.json' with { type: 'json' };
import { type Moved, movedSince } from './older-exports.ts';
import { olderTree, overlaidTree } from './older-tree.ts';
import { listTests, runTests } from './run-tests.ts';

const root = join(import.meta.dirname, '..');
const { values, positionals } = parseArgs({
  options: {
    base: { type: 'string' },
    json: { type: 'boolean', default: false },
    reports: { type: 'string' },
    limit: { type: 'string', default: '300' },
    'older-only': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.base === undefined) {
  console.error('Missing --base COMMIT: the commit whose source the new tests run against.');
  process.exit(2);
}
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const base = git('rev-parse', '--verify', `${values.base}^{commit}`).trim();
const untracked = lines(git('ls-files', '--others', '--exclude-standard'));
const files = [...lines(git('ls-files')), ...untracked];

const tableFile = 'scripts/moved.json';
const hasTable = git('ls-tree', '--name-only', base, '--', tableFile) !== '';
const moved = movedSince(
  table,
  hasTable ? (JSON.parse(git('show', `${base}:${tableFile}`)) as Partial<Moved>) : undefined,
);

/** Files that changed, with what they were called before. */
const changed = new Map([
  ...lines(git('diff', '--name-status', '-M', '-l0', '--diff-filter=d', base)).map((line): [string, string] => {
    const [, was = '', now = was] = line.split('\t');
    return [now, was];
  }),
  ...untracked.map((file): [string, string] => [file, file]),
  ...Object.entries(moved.tests),
]);
const tests = [...changed.keys()]
  .filter(
    (file) =>
      /^(?:src|test|web)\/.*\.test\.ts$/.test(file) &&
      (positionals.length === 0 || positionals.some((path) => file.startsWith(path))),
  )
  .sort();

const folder = mkdtempSync(join(tmpdir(), 'toolmend-seen-failing-'));
const reports = values.reports === undefined ? join(folder, 'reports') : resolve(values.reports);
const limit = Number(values.limit);
try {
  console.error(`${tests.length} test files changed since ${base.slice(0, 7)}. Looking for new tests …`);
  const older = olderTree(join(folder, 'older'), base);
  const nameBefore = (file: string): string => changed.get(file) ?? file;
  const then = await listTests(
    older,
    tests.map(nameBefore).filter((file) => existsSync(join(older, file))),
  );
  const { reworded } = moved;
  // The titles of examples in the docs contain their line numbers.
  const unnumbered = (title: string): string => title.replace(/\.md:\d+/g, '.md');
  const before = new Map(
    tests.map((file) => {
      const titles = new Set([...(then.get(nameBefore(file)) ?? [])].map(unnumbered));
      const parts = reworded[file] ?? [];
      const has = (title: string): boolean =>
        titles.has(unnumbered(title)) || parts.some((part) => title.includes(part));
      return [file, { has }];
    }),
  );
  const fresh = new Map<string, string[]>();
  const listed = new Map<string, Map<string, string[]>>();
  for (const [file, titles] of await listTests(root, tests)) {
    listed.set(file, new Map([...titles].map((title) => [title, ['passed']])));
    const added = [...titles].filter((title) => !before.get(file)?.has(title));
    if (added.length > 0)
      fresh.set(
        file,
        added.filter((title) => !isGuard(title)),
      );
  }
  const overlaid = overlaidTree(join(folder, 'overlaid'), files, older, moved);
  console.error(`Running ${fresh.size} test files on the older source …`);
  const there = await runTests(overlaid, fresh, join(reports, 'there'), limit);
  const olderOnly = values['older-only'];
  if (!olderOnly) console.error('Running them on the source of today …');
  const here = olderOnly ? listed : await runTests(root, fresh, join(reports, 'here'), limit);
  const found = compareRuns(here, there, before);
  console.log(values.json ? JSON.stringify(found, null, 2) : showComparison(found));
  process.exitCode = found.idle.length + found.broken.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
