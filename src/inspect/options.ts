import type { Decision } from '../log/events.ts';
import type { Store } from '../log/store.ts';
import type { RunControl } from '../run/workers/control.ts';
import type { LiveSource } from './live-feed.ts';

/** Options of an inspector. */
export interface InspectorOptions {
  readonly store: Store;
  /**
   * Accepted host names.
   * @default the loopback names
   */
  readonly hosts?: Iterable<string>;
  readonly token?: string | undefined;
  /** Live events of runs in this process. */
  readonly live?: LiveSource;
  /** Lets the page and other programs cancel, message and requeue runs of workers. */
  readonly control?: RunControl;
  /** Whether calls can be approved here. Otherwise the page only shows them. */
  readonly canApprove?: boolean;
  /** Called after a decision, so that the run can be resumed. */
  readonly onDecision?: (run: string, callId: string, decision: Decision) => void;
}
