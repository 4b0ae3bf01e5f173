import type { LiveMessage } from '../../src/inspect/api.ts';
import { apiUrl } from '../ask-api.ts';
import { batch } from './batch.ts';

/** Options of a live connection. */
export interface LiveOptions {
  /** The run to follow; without it, the rows of all runs. */
  readonly run?: string;
  /** Called with messages in order, at most every 150 ms. */
  readonly onMessages: (messages: readonly LiveMessage[]) => void;
  /** `again` means after a gap, in which messages may have been missed. */
  readonly onOpen?: (again: boolean) => void;
  readonly onLost?: () => void;
}

/** Subscribes to the server, and returns a function to unsubscribe. The browser reconnects by itself. */
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
      // Ignores messages that aren't JSON.
    }
  };
  return () => {
    source.close();
    waiting.stop();
  };
}
