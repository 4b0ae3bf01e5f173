import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/cli/run/open-store.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { fold, openCalls } from '../../src/log/fold.ts';
import { all } from '../log/store-suite.ts';
import { isLong } from '../sample.ts';
import { expectSound, expectWhole } from './crash-checks.ts';
import { crashAgent, marksIn, toEnd } from './crash-plot.ts';

const child = join(import.meta.dirname, 'crash-child.ts');
type How = 'each' | 'batch' | 'heard';

/** Where one process is killed: a store of its own, or a run of its own in one that others share. */
export interface Scene {
  readonly address: string;
  readonly run: string;
}

const folders: string[] = [];

/** A folder that is gone when the tests are over. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolmend-crash-'));
  folders.push(folder);
  return folder;
}

/** Whether it was killed: a run that ended before its last commit came has nothing left to kill. */
function crash({ address, run }: Scene, folder: string, how: How, at: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const args = ['--disable-warning=ExperimentalWarning', child, address, run, folder, how, String(at)];
    const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    process_.stderr.on('data', (chunk) => {
      said += chunk;
    });
    process_.on('close', (code, signal) => {
      if (signal === 'SIGKILL') resolve(true);
      else if (code === 0) resolve(false);
      else reject(new Error(`The child ended with ${code}: ${said}`));
    });
  });
}

/** Kills one process at this place, takes its run up and looks at all that is left; gives which tools ran again. */
async function killedAt(scene: Scene, how: How, at: number): Promise<readonly string[] | undefined> {
  const folder = newFolder();
  if (!(await crash(scene, folder, how, at))) return undefined;
  const store = await openStore(scene.address);
  const marks = marksIn(join(folder, 'marks'));
  const before = await all(store, scene.run);
  expectWhole(before);
  const told = Number(readFileSync(join(folder, 'told'), 'utf8'));
  // What was heard may have been followed by another commit; what was committed last is the last there is.
  if (how === 'heard') expect(before.length).toBeGreaterThanOrEqual(told);
  else expect(before.length).toBe(told);
  const listed = (await store.runs({ limit: 1000 })).find(({ run }) => run === scene.run);
  expect(listed).toMatchObject({ seq: before.length });

  const run = await crashAgent(store, marks).resume(scene.run);
  // A run that had been told nothing yet is told now.
  const { end } = await toEnd(run.messages().length > 0 ? run.continue() : run.send('Go.'));
  expect(end).toBe('done');
  await expectSound(run, store, marks);
  const after = await all(store, scene.run);
  expect(after.slice(0, before.length)).toEqual(before);
  expect(JSON.stringify([...fold(after).calls])).toBe(JSON.stringify([...run.state.calls]));
  await store.close();
  return ranAgain(before, after);
}

/** The tools that were under way and may run again: each was started once more, under the key it had. */
function ranAgain(before: readonly RunEvent[], after: readonly RunEvent[]): string[] {
  const cut = openCalls(fold(before)).filter(({ state, name }) => state === 'executing' && /^(look|put)$/.test(name));
  const later = after.slice(before.length);
  for (const { callId, key } of cut) {
    const started = later.filter((event) => event.type === 'tool.started' && event.callId === callId);
    expect(started).toMatchObject([{ key }]);
  }
  return cut.map(({ name }) => name);
}

/** From one place to the next where a process is killed. */
const stride = isLong ? 1 : 8;

/** Kills at 1, 2, 3 … or at a sample of these, two at a time, until a run ends first; gives how many were killed, and which tools ran again. */
async function killEverywhere(scene: () => Promise<Scene>, how: How): Promise<{ killed: number; again: Set<string> }> {
  const again = new Set<string>();
  let next = 1 - stride;
  const nextPlace = (): number => {
    next += stride;
    return next;
  };
  let killed = 0;
  const worker = async (): Promise<void> => {
    for (;;) {
      const ran = await killedAt(await scene(), how, nextPlace());
      if (!ran) return;
      killed += 1;
      for (const name of ran) again.add(name);
    }
  };
  await Promise.all([worker(), worker()]);
  return { killed, again };
}

/** What no store may lose, wherever the process that writes it is killed. */
export function crashSuite(name: string, scene: () => Promise<Scene>): void {
  describe(`F17 F18 ${name}: a process that is killed`, { timeout: 600_000 }, () => {
    afterAll(() => {
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    });

    it('ends by itself if nobody kills it', async () => {
      // It leaves what it compiled to the others, which are killed before they can.
      expect(await crash(await scene(), newFolder(), 'each', 0)).toBe(false);
    });

    it('F17 F18 after each event, it loses nothing committed, has each number once, and can continue', async () => {
      const { killed, again } = await killEverywhere(scene, 'each');
      expect(killed).toBeGreaterThan(30 / stride);
      // The moments in which a tool is under way are few, and a sample may pass one by.
      expect(['look', 'put']).toEqual(isLong ? [...again].sort() : expect.arrayContaining([...again]));
    });

    it('F18 between a commit and its publication, the event is stored but not published', async () => {
      expect((await killEverywhere(scene, 'batch')).killed).toBeGreaterThan(8 / stride);
    });

    it('F18 after an event is published, the event is stored', async () => {
      expect((await killEverywhere(scene, 'heard')).killed).toBeGreaterThan(30 / stride);
    });

    it('F18 before the first write, there is no run, and the error says so', async () => {
      const { address, run } = await scene();
      const store = await openStore(address);
      await expect(crashAgent(store, marksIn(join(newFolder(), 'marks'))).resume(run)).rejects.toThrow(
        'There is no run',
      );
      await store.close();
    });
  });
}
