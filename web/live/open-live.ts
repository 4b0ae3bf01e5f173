import type { LiveMessage } from '../../src/inspect/api.ts';
import { apiUrl } from '../ask-api.ts';
import { batch } from './batch.ts';

/** Who listens, and to what. */
export interface LiveOptions {
  /** One run's events; without it, the rows of all runs. */
  readonly run?: string;
  /** Gets what came, in order, at most every 150 ms. */
  readonly onMessages: (messages: readonly LiveMessage[]) => void;
  /** `again`: after a gap, in which something may have been missed. */
  readonly onOpen?: (again: boolean) => void;
  readonly onLost?: () => void;
}

/** Listens to the server until it is told to stop; the browser connects again by itself. */
export function openLive({ run, onMessages, onOpen, onLost }: LiveOptions): () => void {
  const source = new EventSource(apiUrl(run === undefined ? 'live' : `live?run=${encodeURIComponent(run)}`));
  const waiting = batch<LiveMessage>(onMessages);
  let opened = false;
  source.onopen = () => {
    onOpen?.(opened);
    opened = true;
  };
  source.onerror = () => onLost?.();
  source.onmessage = ({ data }) => {
    try {
      waiting.add(JSON.parse(data) as LiveMessage);
    } catch {
      // What is no JSON is none of ours; the next message may be.
    }
  };
  return () => {
    source.close();
    waiting.stop();
  };
}
