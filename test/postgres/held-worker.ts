import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerEvent } from '../../src/run/workers/dispatch.ts';

const crowd = join(import.meta.dirname, 'crowd.ts');

/** A process that works, whose tools are held until it is opened: then the file `gate` is there. */
export function heldWorker(url: string, marks: string, gate: string) {
  const child = spawn(process.execPath, [crowd, url, marks, gate], { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const heard = (): WorkerEvent[] => {
    const events: WorkerEvent[] = said
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    return events.filter(({ type }) => type !== 'idle');
  };
  return {
    open: () => writeFileSync(gate, ''),
    /** What it said of runs. */
    heard,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    end: () => {
      child.kill('SIGKILL');
      return gone;
    },
  };
}
