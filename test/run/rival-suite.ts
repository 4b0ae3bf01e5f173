import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/cli/run/open-store.ts';
import { fold, history } from '../../src/log/fold.ts';
import { all } from '../log/store-suite.ts';
import { expectSound } from './crash-checks.ts';
import { crashAgent, marksIn } from './crash-plot.ts';

const child = join(import.meta.dirname, 'rival-child.ts');

interface Said {
  readonly end: string;
  readonly message: string;
}

/** A process that takes up what it is told to. */
function rival(address: string, marks: string) {
  const process_ = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', child, address, marks], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => process_.once('close', resolve));
  const lines = createInterface({ input: process_.stdout })[Symbol.asyncIterator]();
  return {
    tell: (run: string) => process_.stdin.write(`${run}\n`),
    said: async (): Promise<Said> => JSON.parse((await lines.next()).value ?? '{"end":"gone"}'),
    end: () => {
      process_.kill('SIGKILL');
      return gone;
    },
  };
}

/** What must hold where two processes take one run up in the same moment. */
export function rivalSuite(name: string, place: (folder: string) => Promise<string>): void {
  describe(`F20 ${name}: two processes and one run`, { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolmend-rivals-'));
    const closing: (() => Promise<unknown>)[] = [];
    afterAll(async () => {
      for (const close of closing.reverse()) await close();
      rmSync(folder, { recursive: true, force: true });
    });

    it('F20 one of them completes it; the other is refused, and nothing happens twice', async () => {
      const address = await place(folder);
      const store = await openStore(address);
      const marks = join(folder, 'marks');
      const rivals = [rival(address, marks), rival(address, marks)];
      closing.push(() => store.close(), ...rivals.map(({ end }) => end));
      for (const { said } of rivals) expect(await said()).toMatchObject({ end: 'ready' });

      let refused = 0;
      // They may miss each other by a hair: it is tried until they did not.
      for (let round = 1; round <= 8 || refused === 0; round += 1) {
        const id = await crashAgent(store, marksIn(marks)).submit('Go.', { id: `run_${round}` });
        for (const { tell } of rivals) tell(id);
        const came = await Promise.all(rivals.map(({ said }) => said()));
        expect(came.map(({ end }) => end)).toContain('done');
        for (const { end, message } of came) {
          if (end === 'done') continue;
          refused += 1;
          expect(['storage', 'refused']).toContain(end);
          expect(message).toContain('another process writes it');
        }
        const events = await all(store, id);
        const own = marksIn(marks)
          .all()
          .filter((mark) => mark.includes(`${id}/`));
        await expectSound({ id, messages: () => history(fold(events)) }, store, { add: () => {}, all: () => own });
      }
    });
  });
}
