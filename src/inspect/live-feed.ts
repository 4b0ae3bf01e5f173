import type { ServerResponse } from 'node:http';
import type { LiveEvent } from '../log/events.ts';
import type { LiveMessage } from './api.ts';
import type { RunIndex } from './run-index.ts';
import { truncate } from './truncate.ts';

/** Tells a listener of live events until it is told to stop. */
export type LiveSource = (listener: (event: LiveEvent) => void) => () => void;

const every = 300;
const stillThere = 15_000;
/** So much may wait for a slow page; past it the page is let go, and comes back by itself. */
const mostWaiting = 4 * 1024 * 1024;

/** Sends a page what happens, for as long as it listens: rows of the list, or all of one run. */
export function liveFeed(response: ServerResponse, index: RunIndex, live: LiveSource | undefined, run?: string): void {
  // Who left before it began is told of by no event any more.
  if (response.destroyed) return;
  response.write('retry: 1000\n\n');
  // What a person decides about is never cut.
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
  // A store that can't be read now may be read later.
  const looking = setInterval(() => void index.look().catch(() => {}), every);
  const breath = setInterval(() => response.write(': still here\n\n'), stillThere);
  response.on('close', () => {
    clearInterval(looking);
    clearInterval(breath);
    for (const stop of stops) stop?.();
  });
}
