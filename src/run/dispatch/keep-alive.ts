import { silence } from './boss-queue.ts';
import type { RunQueue, TakenRun } from './run-queue.ts';

/** The runs whose worker is said to live. */
export interface Heartbeat {
  add(taken: TakenRun): void;
  drop(taken: TakenRun): void;
  end(): void;
}

/** Says to the queue, three times in the silence it bears, that the worker of these runs lives: one word for all of them. */
export function keepAlive(queue: Pick<RunQueue, 'touch'>, every = (silence * 1000) / 3): Heartbeat {
  const held = new Set<TakenRun>();
  const tell = async (): Promise<void> => {
    const told = [...held];
    if (told.length === 0) return;
    // A word that did not arrive is said again; one that is another's now is not spoken of any more.
    const kept = new Set(await queue.touch(told).catch(() => told));
    for (const one of told) if (!kept.has(one)) held.delete(one);
  };
  const beat = setInterval(() => void tell(), every);
  return {
    add: (taken) => void held.add(taken),
    drop: (taken) => void held.delete(taken),
    end: () => clearInterval(beat),
  };
}
