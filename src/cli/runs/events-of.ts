import type { RunEvent } from '../../log/event.ts';
import type { Store } from '../../log/store.ts';

/** All events of a run. */
export async function eventsOf(store: Store, run: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of store.read(run)) events.push(event);
  return events;
}
