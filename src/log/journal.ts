import { ownCopy } from '../json/value.ts';
import type { RunEvent, RunFact } from './events.ts';
import type { Store } from './store.ts';

/** What a journal needs besides its store. */
export interface JournalOptions {
  readonly run: string;
  /** The number of the last event that is in the store. */
  readonly seq?: number;
  /** Takes secrets out of what is written and published. */
  readonly redact?: (event: RunEvent) => RunEvent;
  /** Told of each event when it is numbered, as it is: whoever holds the run's state listens here. */
  readonly apply?: (event: RunEvent) => void;
  /** Told of each event once it is on disk. */
  readonly publish?: (event: RunEvent) => void;
  readonly now?: () => number;
}

/**
 * Writes one run's events. `note` numbers an event and leaves it to the next commit; `commit` settles when everything noted
 * so far is on disk. Commits asked for while one is under way go to disk together.
 */
export class Journal {
  readonly #store: Store;
  readonly #options: JournalOptions;
  #seq: number;
  #waiting: RunEvent[] = [];
  #writing: Promise<void> | undefined;
  #broken: unknown;

  constructor(store: Store, options: JournalOptions) {
    this.#store = store;
    this.#options = options;
    this.#seq = options.seq ?? 0;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Records a fact; it is on disk after the next commit. */
  note(fact: RunFact): RunEvent {
    const { run, now = Date.now, apply, redact } = this.#options;
    const event = { ...fact, run, seq: this.#seq + 1, at: now() } as RunEvent;
    // A redactor that throws must leave no gap: the number is taken once nothing can fail any more.
    // What others are told is theirs: whatever they do to it changes neither the run nor what its tools are given.
    const written = ownCopy(redact ? redact(event) : event);
    this.#seq = event.seq;
    apply?.(event);
    this.#waiting.push(written);
    return event;
  }

  /** Records a fact, and settles when it and all before it are on disk. Once a write has failed, every commit fails. */
  async commit(fact?: RunFact): Promise<void> {
    if (fact) this.note(fact);
    // Each turn of this loop writes everything that waits, so that it turns at most twice.
    while (this.#waiting.length > 0 || this.#writing) {
      this.#writing ??= this.#write();
      await this.#writing;
    }
    if (this.#broken) throw this.#broken;
  }

  async #write(): Promise<void> {
    // Calls that run side by side commit in one moment: they share a write.
    await null;
    if (this.#broken) {
      this.#waiting = [];
      this.#writing = undefined;
      throw this.#broken;
    }
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      await this.#store.append(batch);
    } catch (error) {
      this.#broken = error;
      throw error;
    } finally {
      this.#writing = undefined;
    }
    for (const event of batch) this.#options.publish?.(event);
  }
}

/** An append that waits to be written, with its events as they stand in the log. */
export interface Append {
  readonly events: readonly WrittenEvent[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** An event, and its text. */
export interface WrittenEvent {
  readonly event: RunEvent;
  readonly body: string;
}

/** Gathers what is asked for in one moment, so that it is written together; `now` writes what waits. */
export function gather(write: (appends: readonly Append[]) => void): {
  readonly append: (events: readonly RunEvent[]) => Promise<void>;
  readonly now: () => void;
} {
  let waiting: Append[] = [];
  const now = (): void => {
    const appends = waiting;
    waiting = [];
    if (appends.length > 0) write(appends);
  };
  return {
    now,
    async append(events) {
      // What has no text fails here, alone.
      const written = events.map((event) => ({ event, body: JSON.stringify(event) }));
      if (waiting.length === 0) setImmediate(now);
      await new Promise<void>((resolve, reject) => waiting.push({ events: written, resolve, reject }));
    },
  };
}
