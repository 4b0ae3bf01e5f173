import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fold } from '../../src/log/fold.ts';
import { sqliteStore } from '../../src/log/sqlite-store.ts';
import { all } from '../log/store-suite.ts';
import { expectSound, expectWhole } from './crash-checks.ts';
import { crashAgent, marksIn, toEnd } from './crash-plot.ts';

const child = join(import.meta.dirname, 'crash-child.ts');
type How = 'each' | 'batch' | 'heard';

/** Whether it was killed: a run that ended before its last commit came has nothing left to kill. */
function crash(folder: string, how: How, at: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const args = ['--disable-warning=ExperimentalWarning', child, folder, how, String(at)];
    const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    process_.stderr.on('data', (chunk) => {
      said += chunk;
    });
    process_.on('exit', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`The child ended with ${code}: ${said}`));
    });
  });
}

/** Kills one process at this place, takes its run up and looks at all that is left. */
async function killedAt(how: How, at: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-crash-'));
  if (!(await crash(folder, how, at))) return false;
  const store = sqliteStore(join(folder, 'runs.db'));
  const marks = marksIn(join(folder, 'marks'));
  const before = await all(store, 'run_crash');
  expectWhole(before);
  const told = Number(readFileSync(join(folder, 'told'), 'utf8'));
  // What was heard may have been followed by another commit; what was committed last is the last there is.
  if (how === 'heard') expect(before.length).toBeGreaterThanOrEqual(told);
  else expect(before.length).toBe(told);
  expect((await store.runs()).map(({ run, seq }) => [run, seq])).toEqual([['run_crash', before.length]]);

  const run = await crashAgent(store, marks).resume('run_crash');
  // A run that had been told nothing yet is told now.
  const { end } = await toEnd(run.messages().length > 0 ? run.continue() : run.send('Go.'));
  expect(end).toBe('done');
  await expectSound(run, store, marks);
  const after = await all(store, 'run_crash');
  expect(after.slice(0, before.length)).toEqual(before);
  expect(JSON.stringify([...fold(after).calls])).toBe(JSON.stringify([...run.state.calls]));
  await store.close();
  return true;
}

/** Kills at 1, 2, 3 …, two at a time, until a run ends first; gives how many were killed. */
async function killEverywhere(how: How): Promise<number> {
  let next = 1;
  let killed = 0;
  const worker = async (): Promise<void> => {
    while (await killedAt(how, next++)) killed += 1;
  };
  await Promise.all([worker(), worker()]);
  return killed;
}

describe('F17 F18 a process that is killed', () => {
  it('F18 after each event: nothing committed is lost, no number is missing or twice, the run goes on', async () => {
    expect(await killEverywhere('each')).toBeGreaterThan(30);
  }, 600_000);

  it('F18 between a commit and its publication: nobody heard of it, and it is there', async () => {
    expect(await killEverywhere('batch')).toBeGreaterThan(8);
  }, 600_000);

  it('F18 once an event was heard: what was heard is there', async () => {
    expect(await killEverywhere('heard')).toBeGreaterThan(30);
  }, 600_000);

  it('F18 before anything is on disk: there is no run, and that is said', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-crash-'));
    expect(existsSync(join(folder, 'marks'))).toBe(false);
    const store = sqliteStore(join(folder, 'runs.db'));
    await expect(crashAgent(store, marksIn(join(folder, 'marks'))).resume('run_crash')).rejects.toThrow(
      'There is no run',
    );
    await store.close();
  });
});
