import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '../log/events.ts';
import type { LiveMessage } from './api.ts';
import type { RunIndex } from './run-index.ts';

/** Subscribes a listener to live events, and returns a function to unsubscribe. */
export type LiveSource = (listener: (event: LiveEvent) => void) => () => void;

const every = 300;
const stillThere = 15_000;
/** Maximum buffer for a slow page. Beyond it the page is disconnected and reconnects by itself. */
const mostWaiting = 4 * 1024 * 1024;

/** Streams changes to a page: list rows, or all events of one run. */
export function liveFeed(response: ServerResponse, index: RunIndex, live: LiveSource | undefined, run?: string): void {
  // A closed response emits no further event.
  if (response.destroyed) return;
  response.write('retry: 1000\n\n');
  // What a person decides about is never shortened.
  const send = (message: LiveMessage, whole = false): void => {
    if (response.writableLength > mostWaiting) response.destroy();
    else response.write(`data: ${JSON.stringify(whole ? message : truncate(message))}\n\n`);
  };
  const stops = [
    index.listen((rows, events) => {
      const mine = run === undefined ? rows : rows.filter((row) => row.run === run);
      if (mine.length > 0) send({ type: 'rows', rows: mine });
      for (const event of events)
        if (event.run === run) send({ type: 'event', event }, event.type === 'approval.requested');
    }),
    run === undefined ? undefined : live?.((event) => event.run === run && send({ type: 'event', event })),
  ];
  // The store may be readable again later.
  const looking = setInterval(() => void index.look().catch(() => {}), every);
  const breath = setInterval(() => response.write(': still here\n\n'), stillThere);
  response.on('close', () => {
    clearInterval(looking);
    clearInterval(breath);
    for (const stop of stops) stop?.();
  });
}

const longest = 200_000;

/** Shortens texts that are too long to display, with a note. Returns the same object if nothing is too long. */
export function truncate<T>(value: T): T {
  return JSON.stringify(value).length > longest ? (cut(value) as T) : value;
}

function cut(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > longest ? `${value.slice(0, longest)}… (${value.length - longest} more characters)` : value;
  }
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item)]));
}
