/** Types shared by the inspector's page and its server. All paths are below `/inspector/api/`. */
import type { RepairKind } from '../json/repair.ts';
import type { LiveEvent, RunEnd, RunEvent } from '../log/events.ts';

/** Status of a call. `waiting`: needs approval. `open`: not checked yet, or its tool is running. */
export type CallStatus = 'ok' | 'mended' | 'invalid' | 'failed' | 'denied' | 'waiting' | 'open' | 'unknown';

/** A call in a list. */
export interface CallRow {
  readonly callId: string;
  /** Empty if the model wrote no name. */
  readonly name: string;
  readonly status: CallStatus;
  readonly errorType?: string;
  readonly repairs: readonly RepairKind[];
}

/** A run, or a request to the proxy or the gateway, in a list. */
export interface RunRow {
  readonly run: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Sequence number of its last event. */
  readonly seq: number;
  readonly model: string;
  readonly provider: string;
  /** Missing while the run is active. */
  readonly end?: RunEnd;
  /** The last prompt, shortened; empty if content isn't recorded. */
  readonly asked: string;
  /** The last response, shortened. */
  readonly answered: string;
  readonly turns: number;
  readonly calls: readonly CallRow[];
  readonly tokens: number;
  /** The call of another run that started this one. */
  readonly parent?: { readonly run: string; readonly callId: string };
  /** Milliseconds spent in our own code, if known. */
  readonly own?: number;
}

/** Which runs to list. All conditions must match. `GET runs?outcome=…&tool=…` */
export interface RunFilter {
  /** Runs with a call of this status. */
  readonly outcome?: CallStatus;
  /** Runs that ended for this reason, such as `dead`. */
  readonly end?: RunEnd;
  readonly tool?: string;
  readonly model?: string;
  readonly repair?: RepairKind;
  /** Words in the prompt, the response, a name or an id. */
  readonly text?: string;
  /** Continue after this run. `limit` is 100 by default. */
  readonly after?: string;
  readonly limit?: number;
}

/** `GET runs` */
export interface RunList {
  /** Newest first. */
  readonly runs: readonly RunRow[];
  /** Total number of matches. */
  readonly total: number;
  /** Number of dead runs in the store. */
  readonly dead: number;
  /** Values to filter by, from all runs. */
  readonly tools: readonly string[];
  readonly models: readonly string[];
  readonly repairs: readonly RepairKind[];
  /** How much of the store was read, which is less than all just after the start. */
  readonly read: { readonly runs: number; readonly of: number };
}

/** `GET runs/ID` */
export interface RunDetail {
  readonly row: RunRow;
  /** Values of more than 200,000 characters are shortened, with a note. */
  readonly events: readonly RunEvent[];
  /** Whether calls can be approved here. */
  readonly canApprove: boolean;
  /** Whether the run can be cancelled, messaged and requeued here. */
  readonly canControl: boolean;
  /** Runs that calls of this run started, newest first. */
  readonly children: readonly Pick<RunRow, 'run' | 'end' | 'asked'>[];
}

/** Counts of a time span. */
export interface Span {
  readonly at: number;
  readonly ok: number;
  readonly mended: number;
  readonly invalid: number;
  readonly failed: number;
}

/** Counts of a tool or a model. */
export interface UsageStats {
  readonly name: string;
  readonly calls: number;
  readonly ok: number;
  readonly mended: number;
  readonly invalid: number;
  readonly failed: number;
}

/** `GET figures` */
export interface Figures {
  readonly from: number;
  readonly to: number;
  readonly runs: number;
  readonly calls: number;
  /** At most 60 spans of equal length. */
  readonly spans: readonly Span[];
  readonly repairs: readonly { readonly kind: RepairKind; readonly words: string; readonly times: number }[];
  readonly tools: readonly UsageStats[];
  readonly models: readonly UsageStats[];
  /** Calls that ran because they were mended. Otherwise each would have needed another request to the model. */
  readonly saved: number;
  /** Milliseconds per request spent in our own code, if known. */
  readonly own?: { readonly median: number; readonly p95: number; readonly most: number; readonly requests: number };
}

/** `GET live` (SSE) and `GET live?run=ID`: each message is one of these. */
export type LiveMessage =
  /** New or changed rows, newest first. */
  | { readonly type: 'rows'; readonly rows: readonly RunRow[] }
  /** Recorded and live events of the requested run. */
  | { readonly type: 'event'; readonly event: RunEvent | LiveEvent };

/** `POST approvals/RUN/CALL`. The response is `{ "ok": true }` or a `Refusal`. */
export type ApprovalBody = (
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason?: string }
  | { readonly type: 'edit'; readonly input: unknown }
) & {
  /** Sequence number of the request that was shown. A decision about an older one is refused. */
  readonly asked?: number;
};

/** `POST runs/RUN/cancel`, `send`, `interrupt`, `requeue` and `fork`, if the inspector can control runs. */
export interface CommandBody {
  /** Why the run is cancelled. */
  readonly reason?: string;
  /** The message for the run. */
  readonly message?: string;
  /** Sequence number of the last event to copy into a fork. */
  readonly seq?: number;
}

/** Any response with a status other than 2xx. */
export interface Refusal {
  readonly error: { readonly message: string };
}
