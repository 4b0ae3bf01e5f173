import { messageOf } from '../../execute/tool-result.ts';
import { hasCode } from '../../json/toolmend-error.ts';
import type { Commands, ReceivedCommand } from '../../log/control/commands.ts';
import type { RedactRun } from '../../log/journal.ts';
import type { Store } from '../../log/store.ts';
import { activeChildren } from '../agent-tool.ts';
import type { Run } from '../run.ts';
import { applyCommand, recordCommand } from './apply-command.ts';

/** Interval between looks for commands whose notification got lost, in milliseconds. */
const pollInterval = 500;

/** The active runs of a worker and their children, which receive commands from other processes. */
export class ActiveRuns {
  readonly #runs = new Map<string, Run>();
  /** What commands of these runs led to, by their ids. A command can be received twice, and is carried out once. */
  readonly #outcomes = new Map<string, Map<string, Promise<string | undefined>>>();
  /** Runs with commands that aren't finished. */
  readonly #commanded = new Set<string>();
  readonly #commands: Commands | undefined;
  readonly #stop: () => void;
  /** Commands that were carried out, but not confirmed. */
  readonly #unconfirmed = new Map<string, Promise<string | undefined>>();
  #receiving: Promise<void> | undefined;
  #again = false;

  /** @param worker number of this process, which its claims have */
  constructor(commands: Commands | undefined, worker: number, store: Store) {
    this.#commands = commands;
    const stopListening = commands?.listen((run) => {
      if (this.#find(run)) this.#receive();
    }, worker);
    const stopChildren = activeChildren.listen({
      resuming: async (child, redact) => void (await this.recover(child, store, redact)),
      ended: (child) => void this.#finish(child),
    });
    const timer = setInterval(() => this.#receive(), pollInterval);
    this.#stop = () => {
      stopListening?.();
      stopChildren();
      clearInterval(timer);
    };
  }

  /** Delivers commands to a run while `work` runs. */
  async during<T>(run: Run, work: () => Promise<T>): Promise<T> {
    this.#runs.set(run.id, run);
    try {
      return await work();
    } finally {
      // From now on, the sender of a command records it in the log.
      this.#runs.delete(run.id);
      await this.#finish(run);
    }
  }

  async #finish({ id, journal }: Run): Promise<void> {
    this.#outcomes.delete(id);
    // Without its log, the next worker carries the commands out again.
    if (this.#commanded.delete(id) && journal.failure === undefined) await this.#commands?.finish(id).catch(() => {});
  }

  #find(run: string): Run | undefined {
    return this.#runs.get(run) ?? activeChildren.get(run);
  }

  /**
   * Records the commands of a run that another worker received before it died, if it hadn't recorded them. The run must
   * not continue before: it may be cancelled. Returns whether there were any.
   */
  async recover(run: string, store: Store, redact: RedactRun): Promise<boolean> {
    const received = (await this.#commands?.takeOver(run)) ?? [];
    for (const one of received) {
      const refused = await recordCommand(store, run, one, { redact, isAbandoned: true }).then(
        () => undefined,
        (error: unknown) => {
          if (!hasCode(error, 'not_waiting')) throw error;
          return messageOf(error);
        },
      );
      await this.#commands?.acknowledge(one.id, refused);
    }
    if (received.length > 0) await this.#commands?.finish(run);
    return received.length > 0;
  }

  close(): void {
    this.#stop();
  }

  /** Receives commands, once more if another notification arrives meanwhile. */
  #receive(): void {
    if ((this.#runs.size === 0 && this.#unconfirmed.size === 0) || !this.#commands) return;
    this.#again = true;
    this.#receiving ??= this.#receiveAll().finally(() => {
      this.#receiving = undefined;
    });
  }

  async #receiveAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#apply((await this.#commands?.receive([...this.#runs.keys(), ...activeChildren.ids()])) ?? []);
      } catch {
        // The database is unavailable. The next worker of the run carries out what wasn't finished.
      }
    }
  }

  async #apply(received: readonly ReceivedCommand[]): Promise<void> {
    for (const { id, run: runId, command } of received) {
      const run = this.#find(runId);
      if (run) {
        this.#commanded.add(runId);
        const outcomes = this.#outcomes.get(runId) ?? new Map<string, Promise<string | undefined>>();
        this.#outcomes.set(runId, outcomes);
        const outcome = outcomes.get(id) ?? applyCommand(run, id, command);
        outcomes.set(id, outcome);
        this.#unconfirmed.set(id, outcome);
      } else await this.#commands?.release(id).catch(() => {});
    }
    await this.#confirm();
  }

  /** Confirms commands. One that can't be confirmed now doesn't keep the others waiting. */
  async #confirm(): Promise<void> {
    for (const [id, outcome] of this.#unconfirmed) {
      const isConfirmed = await this.#commands?.acknowledge(id, await outcome).then(
        () => true,
        () => false,
      );
      if (isConfirmed) this.#unconfirmed.delete(id);
    }
  }
}
