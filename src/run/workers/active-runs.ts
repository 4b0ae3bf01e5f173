import type { Commands, ReceivedCommand } from '../../log/control/commands.ts';
import type { Run } from '../run.ts';
import { applyCommand } from './control.ts';

/** Interval between looks for commands whose notification got lost, in milliseconds. */
const pollInterval = 500;

/** The active runs of a worker, which receive commands from other processes. */
export class ActiveRuns {
  readonly #runs = new Map<string, Run>();
  /** Runs with commands that aren't finished. */
  readonly #commanded = new Set<string>();
  readonly #commands: Commands | undefined;
  readonly #stop: () => void;
  #receiving: Promise<void> | undefined;
  #again = false;

  /** @param worker number of this process, which its claims have */
  constructor(commands: Commands | undefined, worker: number) {
    this.#commands = commands;
    const stopListening = commands?.listen((run) => {
      if (this.#runs.has(run)) this.#receive();
    }, worker);
    const timer = setInterval(() => this.#receive(), pollInterval);
    this.#stop = () => {
      stopListening?.();
      clearInterval(timer);
    };
  }

  /** Delivers commands to a run while `work` runs, beginning with those of a worker that died. */
  async during<T>(run: Run, isRetry: boolean, work: () => Promise<T>): Promise<T> {
    this.#runs.set(run.id, run);
    try {
      if (isRetry && this.#commands) await this.#apply(await this.#commands.takeOver(run.id));
      return await work();
    } finally {
      // From now on, the sender of a command records it in the log.
      this.#runs.delete(run.id);
      // Without its log, the next worker carries the commands out again.
      if (this.#commanded.delete(run.id) && run.journal.failure === undefined)
        await this.#commands?.finish(run.id).catch(() => {});
    }
  }

  close(): void {
    this.#stop();
  }

  /** Receives commands, once more if another notification arrives meanwhile. */
  #receive(): void {
    if (this.#runs.size === 0 || !this.#commands) return;
    this.#again = true;
    this.#receiving ??= this.#receiveAll().finally(() => {
      this.#receiving = undefined;
    });
  }

  async #receiveAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#apply((await this.#commands?.receive([...this.#runs.keys()])) ?? []);
      } catch {
        // The database is unavailable. The next worker of the run carries out what wasn't finished.
      }
    }
  }

  async #apply(received: readonly ReceivedCommand[]): Promise<void> {
    for (const { id, run: runId, command } of received) {
      const run = this.#runs.get(runId);
      if (run) {
        this.#commanded.add(runId);
        const refused = await applyCommand(run, id, command);
        await this.#commands?.acknowledge(id, refused);
      } else await this.#commands?.release(id);
    }
  }
}
