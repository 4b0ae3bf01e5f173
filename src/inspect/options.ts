import type { Decision } from '../log/events.ts';
import type { Store } from '../log/store.ts';
import type { LiveSource } from './live-feed.ts';

/** What an inspector shows, and to whom. */
export interface InspectorOptions {
  readonly store: Store;
  /** Names a browser may call this machine by; the loopback ones unless it is said. */
  readonly hosts?: Iterable<string>;
  readonly token?: string | undefined;
  /** Words and arguments as they come, from runs of this process. */
  readonly live?: LiveSource;
  /** Approvals can be given here; false: the page only shows them. */
  readonly canApprove?: boolean;
  /** Told when somebody decided, so that the run can be taken up. */
  readonly onDecision?: (run: string, callId: string, decision: Decision) => void;
}
