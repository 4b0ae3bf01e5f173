import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { LiveMessage, RunDetail } from '../../src/inspect/api.ts';
import type { RunEvent } from '../../src/log/events.ts';
import { AskError, askApi } from '../ask-api.ts';
import { openLive } from '../live/open-live.ts';
import { grow, type Now } from './growing.ts';
import { timelineOf } from './timeline.ts';

interface State {
  readonly detail?: RunDetail;
  readonly events: readonly RunEvent[];
  readonly now: Now;
  readonly error?: AskError;
  /** Whether the connection is lost. The browser reconnects by itself. */
  readonly lost?: boolean;
}

const nothing: State = { events: [], now: { progress: {} } };

/** Loads a run and follows it while it is shown. */
export function useRun(run: string) {
  const [state, setState] = useState<State>(nothing);
  const load = useCallback(async () => {
    try {
      const detail = await askApi<RunDetail>(`runs/${encodeURIComponent(run)}`);
      setState(({ events, now }) => ({ detail, events: joined(events, detail.events), now }));
    } catch (error) {
      const failed = error instanceof AskError ? error : new AskError(0, String(error));
      setState((state) => ({ ...state, error: failed }));
    }
  }, [run]);
  useEffect(() => {
    void load();
    return openLive({
      run,
      onMessages: (messages) => setState((state) => followed(state, messages)),
      // Loads events that were recorded before the connection opened, or in a gap.
      onOpen: () => void load(),
      onLost: () => setState((state) => ({ ...state, lost: true })),
    });
  }, [run, load]);
  const timeline = useMemo(() => timelineOf(state.events), [state.events]);
  return { ...state, timeline, again: load };
}

function followed(state: State, messages: readonly LiveMessage[]): State {
  const came = messages.flatMap((message) => (message.type === 'event' ? [message.event] : []));
  const recorded = came.filter((event): event is RunEvent => 'seq' in event);
  const row = messages.findLast((message) => message.type === 'rows')?.rows[0];
  return {
    ...state,
    ...(state.detail && row && { detail: { ...state.detail, row } }),
    now: came.reduce(grow, state.now),
    events: recorded.length > 0 ? joined(state.events, recorded) : state.events,
  };
}

/** Merges events in order, without duplicates. */
function joined(events: readonly RunEvent[], more: readonly RunEvent[]): readonly RunEvent[] {
  const last = events.at(-1)?.seq ?? 0;
  if (more.every(({ seq }, index) => seq === last + index + 1)) return [...events, ...more];
  const bySeq = new Map([...events, ...more].map((event) => [event.seq, event]));
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq);
}
