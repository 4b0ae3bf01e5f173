/** Runs test files in parts, each within a time limit, and stores the result of each file, so that you can resume a run. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestStates, testStates } from './compare-runs.ts';
import type { TestReport } from './security-report.ts';

const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs');
const partSize = 10;

/** Runs vitest. Returns false if it exceeded the limit and was killed with all its children. */
async function runVitest(cwd: string, args: readonly string[], seconds: number): Promise<boolean> {
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece: Buffer) => {
    said = (said + piece.toString()).slice(-4000);
  });
  const ended = new Promise<boolean>((resolve) => {
    child.on('close', () => resolve(true));
    setTimeout(() => resolve(false), seconds * 1000).unref();
  });
  const inTime = await ended;
  if (!inTime && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  if (inTime && process.env.DEBUG !== undefined) console.error(said);
  return inTime;
}

/** Loads test files and lists their titles. A file that does not load has none. */
export async function listTests(cwd: string, files: readonly string[]): Promise<Map<string, Set<string>>> {
  const titles = new Map<string, Set<string>>();
  if (files.length === 0) return titles;
  const report = join(cwd, 'titles.json');
  await runVitest(cwd, ['list', '--no-static-parse', `--json=${report}`, ...files], 1200);
  for (const { name, file } of JSON.parse(readFileSync(report, 'utf8')) as { name: string; file: string }[]) {
    const path = file.slice(cwd.length + 1);
    titles.set(path, (titles.get(path) ?? new Set()).add(name));
  }
  rmSync(report);
  return titles;
}

/**
 * Runs test files in `cwd`. If a part does not end, its files run one by one; if a file does not end, its tests do. Those of
 * `titles` that never end are `hung`. Results are stored in `reports`, and files with a result there are not run again.
 */
export async function runTests(
  cwd: string,
  titles: ReadonlyMap<string, readonly string[]>,
  reports: string,
  seconds: number,
): Promise<TestStates> {
  const kept = (file: string): string => join(reports, `${file.replaceAll('/', '+')}.json`);
  const run = async (
    files: readonly string[],
    within: number,
    ...options: string[]
  ): Promise<TestStates | undefined> => {
    const report = join(reports, 'report.json');
    rmSync(report, { force: true });
    const inTime = await runVitest(
      cwd,
      ['run', '--reporter=json', `--outputFile=${report}`, ...options, ...files],
      within,
    );
    if (!inTime || !existsSync(report)) return undefined;
    return testStates(JSON.parse(readFileSync(report, 'utf8')) as TestReport, cwd);
  };
  const keep = (file: string, states: ReadonlyMap<string, readonly string[]>): void => {
    mkdirSync(dirname(kept(file)), { recursive: true });
    writeFileSync(kept(file), JSON.stringify([...states]));
  };
  const oneByOne = async (file: string): Promise<Map<string, readonly string[]>> => {
    const found = new Map<string, readonly string[]>();
    for (const title of titles.get(file) ?? []) {
      const pattern = `^${title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`;
      const states = await run([file], Math.min(seconds, 30), '-t', pattern);
      found.set(title, states?.get(file)?.get(title) ?? ['hung']);
    }
    return found;
  };
  mkdirSync(reports, { recursive: true });
  const open = [...titles.keys()].filter((file) => !existsSync(kept(file)));
  for (let at = 0; at < open.length; at += partSize) {
    const part = open.slice(at, at + partSize);
    console.error(`  ${at} of ${open.length} files`);
    const whole = await run(part, seconds);
    for (const file of part) {
      const states = (whole ?? (await run([file], seconds / 2)))?.get(file);
      keep(file, states ?? (await oneByOne(file)));
    }
  }
  return new Map(
    [...titles.keys()].map((file) => [
      file,
      new Map(JSON.parse(readFileSync(kept(file), 'utf8')) as [string, string[]][]),
    ]),
  );
}
