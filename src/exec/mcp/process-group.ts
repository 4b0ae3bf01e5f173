import { setTimeout as sleep } from 'node:timers/promises';

const live = new Set<ProcessGroup>();
const poll = 20;

/** A process that was started `detached`, and whatever it started: ended together, at the latest with us. */
export class ProcessGroup {
  readonly #leader: number;

  constructor(leader: number) {
    this.#leader = leader;
    if (live.size === 0) process.on('exit', killAll);
    live.add(this);
  }

  /** Sends a signal to all of it; false where nothing of it is left. */
  kill(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.#leader, signal);
      return true;
    } catch {
      return false;
    }
  }

  /** Asks all of it to end, and kills what is left after `grace` milliseconds. */
  async end(grace: number): Promise<void> {
    this.kill('SIGTERM');
    const until = Date.now() + grace;
    while (this.kill(0) && Date.now() < until) await sleep(poll);
    this.kill('SIGKILL');
    live.delete(this);
    if (live.size === 0) process.off('exit', killAll);
  }
}

function killAll(): void {
  for (const group of live) group.kill('SIGKILL');
}
