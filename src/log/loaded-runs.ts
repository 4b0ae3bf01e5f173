import type { RunEvent } from './events.ts';

/** A run that is loaded in this process. */
export interface LoadedRun {
  readonly id: string;
  /** Stops the run. Resolves when it has ended. */
  stop(reason: string): Promise<unknown>;
  /**
   * Applies events that were stored for it while it paused, such as a result. Returns a function that publishes them, or
   * undefined if they don't continue what it knows.
   */
  learn(events: readonly RunEvent[]): (() => void) | undefined;
}

interface Entry {
  readonly run: WeakRef<LoadedRun>;
  /** The same while it is active, so that it isn't collected as garbage. */
  readonly active?: LoadedRun;
}

/** The runs that are loaded in this process, by the store that has their logs. */
const loaded = new WeakMap<object, Map<string, Entry>>();

const collected = new FinalizationRegistry<{ readonly runs: Map<string, Entry>; readonly id: string }>(
  ({ runs, id }) => {
    if (!runs.get(id)?.run.deref()) runs.delete(id);
  },
);

/** Makes a run the one that is loaded under its id. One that pauses can be collected as garbage. */
export function registerLoaded(store: object, run: LoadedRun, isActive: boolean): void {
  const runs = loaded.get(store) ?? new Map<string, Entry>();
  loaded.set(store, runs);
  const known = runs.get(run.id);
  if (known?.run.deref() !== run) collected.register(run, { runs, id: run.id });
  runs.set(run.id, {
    run: known?.run.deref() === run ? known.run : new WeakRef(run),
    ...(isActive && { active: run }),
  });
}

/** Removes a run that has ended. */
export function unregisterLoaded(store: object, run: LoadedRun): void {
  const runs = loaded.get(store);
  if (runs?.get(run.id)?.run.deref() === run) runs.delete(run.id);
}

/** Stops a run if it is active in this process. Resolves when it has ended. */
export const stopActive = (store: object, run: string, reason: string): Promise<unknown> | undefined =>
  loaded.get(store)?.get(run)?.active?.stop(reason);

/** Appends events of paused runs, and tells those that are loaded in this process: they would write over them. */
export async function appendForLoaded(
  store: { append(events: readonly RunEvent[]): Promise<void> },
  events: readonly RunEvent[],
): Promise<void> {
  await store.append(events);
  const runs = loaded.get(store);
  if (!runs) return;
  const ids = new Set(events.map(({ run }) => run));
  // All know them before the listeners of one use another.
  const publish = [...ids].map((id) =>
    runs
      .get(id)
      ?.run.deref()
      ?.learn(events.filter(({ run }) => run === id)),
  );
  for (const tell of publish) tell?.();
}
