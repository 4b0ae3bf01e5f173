import type { RunEvent } from '../log/event.ts';

/** The events of a run up to one of them, as the beginning of another run that remembers where it came from. */
export function forkEvents(events: readonly RunEvent[], run: string, until = Number.POSITIVE_INFINITY): RunEvent[] {
  const shared = events.filter(({ seq }) => seq <= until);
  const last = shared.at(-1);
  if (!last) throw new Error(`The run has no event ${until} to fork from. Its events begin at 1.`);
  const from = { run: last.run, seq: last.seq };
  return shared.map((event) => {
    if (event.type !== 'run.started') return { ...event, run };
    // Whoever forks a run works on it; it was not left to others.
    const { queued: _, ...started } = event;
    return { ...started, run, from };
  });
}
