import type { RunEvent } from '../../src/log/events.ts';
import { RawJson } from '../parts/raw-json.tsx';
import { clock } from '../parts/words.ts';

/** All recorded events of a call. */
export const CallTrail = ({ events }: { readonly events: readonly RunEvent[] }) => (
  <details class="panel">
    <summary>
      <h2>Events</h2>
    </summary>
    <ol class="trail">
      {events.map((event) => (
        <li key={event.seq}>
          <details>
            <summary>
              <span class="mono">{event.type}</span> <span class="quiet">#{event.seq}</span>{' '}
              <time class="entry-time">{clock(event.at)}</time>
            </summary>
            <RawJson value={event} />
          </details>
        </li>
      ))}
    </ol>
  </details>
);
