import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { WorkerEvent } from '../../src/run/workers/dispatch.ts';

/** Workers, each in its own process. */
export interface Crew {
  /** Starts another worker of an agent. Settles when it takes runs. */
  hire(agent?: string): Promise<void>;
  /** Kills any worker that takes runs, whatever it is doing. Returns false if there is none. */
  kill(): boolean;
  /** The processes of running workers. */
  pids(): number[];
  /** Listens to the results of their runs. */
  onEvent: (event: WorkerEvent) => void;
  /** Called when a worker has died, whoever killed it. */
  onExit: (agent: string) => void;
  /** Kills all. Settles when they have exited. */
  end(): Promise<void>;
}

/** How the tools of its runs behave, and how many runs each worker takes at once. */
export interface CrewOptions {
  readonly url: string;
  /** The file to which tools add a line for each effect. */
  readonly marks: string;
  /** How long a tool takes, in milliseconds. */
  readonly ms: number;
  readonly atOnce: number;
  /**
   * Seconds without a heartbeat before runs go to other workers.
   * @default 10
   */
  readonly heartbeat?: number;
  /**
   * Failed attempts without progress after which a run is dead.
   * @default 5
   */
  readonly attempts?: number;
}

const program = join(import.meta.dirname, '../../test/postgres/crowd.ts');

/** Creates an empty crew. */
export function crew({ url, marks, ms, atOnce, heartbeat = 10, attempts = 5 }: CrewOptions): Crew {
  const alive = new Set<ChildProcess>();
  const working = new Set<ChildProcess>();
  const gone: Promise<unknown>[] = [];
  let isOver = false;
  const self: Crew = {
    onEvent: () => {},
    onExit: () => {},
    async hire(agent = 'default') {
      const args = [program, url, marks, ms, atOnce, heartbeat, attempts, agent].map(String);
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      });
      alive.add(child);
      gone.push(new Promise((resolve) => child.once('close', resolve)));
      child.once('message', () => working.add(child));
      child.once('exit', () => {
        alive.delete(child);
        working.delete(child);
        if (!isOver) self.onExit(agent);
      });
      createInterface(child.stdout as Readable).on('line', (line) => self.onEvent(JSON.parse(line) as WorkerEvent));
      await new Promise((resolve) => child.once('message', resolve).once('close', resolve));
    },
    pids: () => [...alive].map(({ pid = 0 }) => pid),
    kill() {
      const one = [...working][Math.floor(Math.random() * working.size)];
      // No worker is killed twice, although its exit is reported later.
      if (one) working.delete(one);
      return one?.kill('SIGKILL') ?? false;
    },
    async end() {
      isOver = true;
      for (const child of alive) child.kill('SIGKILL');
      await Promise.all(gone);
    },
  };
  return self;
}
