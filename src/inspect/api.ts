/**
 * What the inspector's page and its server say to each other: types only, shared by both. Every path stands under
 * `/inspector/api/`.
 */
import type { RepairKind } from '../json/repair.ts';
import type { LiveEvent, RunEnd, RunEvent } from '../log/events.ts';

/** What came of a call, in the words of the page. `waiting`: for a person. `open`: not judged, or its tool still runs. */
export type CallStatus = 'ok' | 'mended' | 'invalid' | 'failed' | 'denied' | 'waiting' | 'open' | 'unknown';

/** A call as a list shows it. */
export interface CallRow {
  readonly callId: string;
  /** Empty where the model named nothing. */
  readonly name: string;
  readonly status: CallStatus;
  readonly errorType?: string;
  readonly repairs: readonly RepairKind[];
}

/** A run, or a request to the proxy or the gateway, as a list shows it. */
export interface RunRow {
  readonly run: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  /** The number of its last event. */
  readonly seq: number;
  readonly model: string;
  readonly provider: string;
  /** Not there while it goes on. */
  readonly end?: RunEnd;
  /** What was asked, shortened; empty where content is not kept. */
  readonly asked: string;
  /** What was answered last, shortened. */
  readonly answered: string;
  readonly turns: number;
  readonly calls: readonly CallRow[];
  readonly tokens: number;
  /** How much of its time was ours, in milliseconds, where it is known. */
  readonly own?: number;
}

/** Which runs to list; every field narrows. `GET runs?outcome=…&tool=…` */
export interface RunFilter {
  /** Runs with a call of this status. */
  readonly outcome?: CallStatus;
  readonly tool?: string;
  readonly model?: string;
  readonly repair?: RepairKind;
  /** Words that stand in what was asked or answered, in a name or an id. */
  readonly text?: string;
  /** Behind this run of the list, to page on; 100 at once unless `limit` says otherwise. */
  readonly after?: string;
  readonly limit?: number;
}

/** `GET runs` */
export interface RunList {
  /** The newest first. */
  readonly runs: readonly RunRow[];
  /** How many fit the filter in all. */
  readonly total: number;
  /** What there is to filter by, over all runs. */
  readonly tools: readonly string[];
  readonly models: readonly string[];
  readonly repairs: readonly RepairKind[];
  /** How much of the store was read: less than all just after the start. */
  readonly read: { readonly runs: number; readonly of: number };
}

/** `GET runs/ID` */
export interface RunDetail {
  readonly row: RunRow;
  /** Values of more than 200,000 characters are cut, and say so. */
  readonly events: readonly RunEvent[];
  /** Whether approvals can be given here. */
  readonly canApprove: boolean;
}

/** Counted in a span of time. */
export interface Span {
  readonly at: number;
  readonly ok: number;
  readonly mended: number;
  readonly invalid: number;
  readonly failed: number;
}

/** How a tool or a model fares. */
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
  /** At most 60, of equal length. */
  readonly spans: readonly Span[];
  readonly repairs: readonly { readonly kind: RepairKind; readonly words: string; readonly times: number }[];
  readonly tools: readonly UsageStats[];
  readonly models: readonly UsageStats[];
  /** Calls that ran because they were mended, and would have cost a further question to the model. */
  readonly saved: number;
  /** Our own work per request, in milliseconds, where it is known. */
  readonly own?: { readonly median: number; readonly p95: number; readonly most: number; readonly requests: number };
}

/** `GET live` (SSE) and `GET live?run=ID`: each message is one of these. */
export type LiveMessage =
  /** Rows that are new or have changed, the newest first. */
  | { readonly type: 'rows'; readonly rows: readonly RunRow[] }
  /** Of the run that was asked for: what was recorded, and words and arguments as they come. */
  | { readonly type: 'event'; readonly event: RunEvent | LiveEvent };

/** `POST approvals/RUN/CALL`, answered with `{ "ok": true }` or a `Refusal`. */
export type ApprovalBody = (
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason?: string }
  | { readonly type: 'edit'; readonly input: unknown }
) & {
  /** The number of the request that was shown: a decision about an older one is refused. */
  readonly asked?: number;
};

/** Any answer that is no 2xx. */
export interface Refusal {
  readonly error: { readonly message: string };
}
