import type { RunEvent } from '../log/event.ts';
import type { Store } from '../log/store.ts';
import type { RunFilter, RunList, RunRow } from './api.ts';
import { matches } from './matches.ts';
import { newTrackedRun, rowOf, type TrackedRun, track } from './run-tracker.ts';

/** Told of what a look into the store found: rows that are new or have changed, and the events that changed them. */
export type IndexListener = (rows: readonly RunRow[], events: readonly RunEvent[]) => void;

const firstLook = 64;
const all = 1_000_000;
const atOnce = 100;
/** So many are read between two requests while the rest is read: a page must not wait for it. */
const inPassing = 40;
/** How far the clocks of those who write may be apart, in milliseconds, and how late what they wrote may be on disk. */
const apart = 10_000;
const defaultLimit = 100;
const mostRows = 1000;

/**
 * What is known of the runs of a store, kept in memory without their content. The store may be written by others: it is
 * looked into when somebody asks, and while somebody watches.
 */
export class RunIndex {
  readonly #store: Store;
  readonly #runs = new Map<string, TrackedRun>();
  readonly #listeners = new Set<IndexListener>();
  /** Runs from the newest on; made anew when one has changed. */
  #sorted: TrackedRun[] | undefined;
  #begun: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #count = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  listen(listener: IndexListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Settles when the newest runs are read; the rest follows by itself. */
  begin(): Promise<void> {
    this.#begun ??= this.#readAll().catch((error: unknown) => {
      // A store that can't be read now may be read later.
      this.#begun = undefined;
      throw error;
    });
    return this.#begun;
  }

  /** Looks for what is new. Those who ask while somebody looks share that look. */
  async look(): Promise<void> {
    const first = this.#begun === undefined;
    await this.begin();
    // What was read this moment needs no further look.
    if (first) return;
    this.#looking ??= this.#lookNow().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  row(run: string): RunRow | undefined {
    const known = this.#runs.get(run);
    return known && rowOf(known);
  }

  /** Every run, the newest first. */
  rows(): readonly TrackedRun[] {
    this.#sorted ??= [...this.#runs.values()].sort(
      (a, b) => b.row.startedAt - a.row.startedAt || (a.row.run < b.row.run ? 1 : -1),
    );
    return this.#sorted;
  }

  list(filter: RunFilter): RunList {
    const runs = this.rows();
    const fitting = runs.filter((run) => matches(run, filter));
    const from = filter.after === undefined ? 0 : fitting.findIndex(({ row }) => row.run === filter.after) + 1;
    const limit = Math.min(mostRows, filter.limit ?? defaultLimit);
    const calls = runs.flatMap((run) => [...run.calls.values()]);
    return {
      runs: fitting.slice(from, from + limit).map(rowOf),
      total: fitting.length,
      tools: sorted(calls.map(({ name }) => name)),
      models: sorted(runs.map(({ row }) => row.model)),
      repairs: sorted(calls.flatMap(({ repairs }) => repairs)),
      read: { runs: runs.length, of: Math.max(this.#count, runs.length) },
    };
  }

  /** A run that is not in the store any more. */
  forget(run: string): void {
    if (!this.#runs.delete(run)) return;
    this.#sorted = undefined;
    this.#count -= 1;
  }

  async #readAll(): Promise<void> {
    const found = await this.#store.runs({ limit: all });
    this.#count = found.length;
    const read = async (from: number, to: number): Promise<void> => {
      for (const { run } of found.slice(from, to)) await this.#read(run);
    };
    await read(0, atOnce);
    const rest = async (): Promise<void> => {
      for (let from = atOnce; from < found.length; from += inPassing) {
        await new Promise((resolve) => setImmediate(resolve));
        await read(from, from + inPassing);
      }
    };
    // A store that was closed meanwhile has no more to tell.
    void rest().catch(() => {});
  }

  /** Stores forget the oldest runs first, so that none is gone where the oldest is still there. */
  async #forgetGone(): Promise<void> {
    const rows = [...this.#runs.values()].map(({ row }) => row);
    let [oldest] = rows;
    for (const row of rows) if (oldest && row.updatedAt < oldest.updatedAt) oldest = row;
    if (!oldest || (await this.#isKept(oldest))) return;
    for (const row of rows.sort((a, b) => a.updatedAt - b.updatedAt)) {
      if (await this.#isKept(row)) return;
      this.forget(row.run);
    }
  }

  async #isKept({ run, seq }: TrackedRun['row']): Promise<boolean> {
    for await (const _ of this.#store.read(run, seq - 1)) return true;
    return false;
  }

  /** The newest first: the look is over where a run is known as it is, and everything after it is older than clocks differ. */
  async #lookNow(): Promise<void> {
    await this.#forgetGone();
    const rows: RunRow[] = [];
    const events: RunEvent[] = [];
    for (let limit = firstLook; ; limit *= 8) {
      const found = await this.#store.runs({ limit });
      const fresh = found.filter(({ run, seq }) => (this.#runs.get(run)?.row.seq ?? 0) < seq);
      for (const { run } of fresh) {
        events.push(...(await this.#read(run)));
        const row = this.row(run);
        if (row) rows.push(row);
      }
      const [newest, oldest] = [found[0]?.updatedAt ?? 0, found.at(-1)?.updatedAt ?? 0];
      if (found.length < limit || (fresh.length < found.length && newest - oldest > apart)) break;
    }
    if (rows.length > 0) for (const listener of this.#listeners) listener(rows, events);
  }

  /** Reads what is not known yet of a run. */
  async #read(run: string): Promise<RunEvent[]> {
    const known = this.#runs.get(run) ?? newTrackedRun(run);
    const events: RunEvent[] = [];
    for await (const event of this.#store.read(run, known.row.seq)) {
      // Two looks at once may have read it both.
      if (event.seq <= known.row.seq) continue;
      track(known, event);
      events.push(event);
    }
    if (known.row.seq > 0) this.#runs.set(run, known);
    if (events.length > 0) this.#sorted = undefined;
    return events;
  }
}

const sorted = <T extends string>(names: readonly T[]): T[] => [...new Set(names)].filter(Boolean).sort();
