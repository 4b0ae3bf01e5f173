import type { IncomingMessage } from 'node:http';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { Format, TurnRequest, TurnResponse } from '../../model/index.ts';

/** What is known of one request once it is over. */
export interface RequestRecord {
  readonly id: string;
  /** When it came, in milliseconds since 1970, and how long it took. */
  readonly at: number;
  readonly ms: number;
  /** How much of that was our own work: reading, mending, translating. */
  readonly own: number;
  readonly method: string;
  /** Without its query, where keys may stand. */
  readonly path: string;
  readonly status: number;
  /** The client left before the answer was whole. */
  readonly left: boolean;
  readonly model: string;
  readonly upstream: string;
  /** The wire of the client and that of the upstream, where it was a question to a model. */
  readonly client?: Format;
  readonly wire?: Format;
  readonly streamed: boolean;
  /** The names of the tools it brought. */
  readonly tools: readonly string[];
  readonly calls: readonly CheckedCall[];
  /** What the client asked, read when it is first wanted. */
  readonly question?: () => TurnRequest;
  /** The answer as the upstream gave it, where it was read. */
  readonly response?: TurnResponse | undefined;
  /** What a crossing between two wires could not say. */
  readonly losses: readonly string[];
  readonly error?: string | undefined;
  /** The trace it belongs to, as the client said. */
  readonly traceparent?: string | undefined;
}

/** The same while it is under way: put together when it is over, and only where somebody watches. */
export interface RequestProgress {
  readonly id: string;
  readonly at: number;
  readonly began: number;
  readonly request: IncomingMessage;
  own: number;
  /** What it asks, and whom. */
  asked?: SeenAsked;
  streamed: boolean;
  calls: readonly CheckedCall[];
  response?: TurnResponse | undefined;
  error?: string | undefined;
}

/** What is told of what a request asks; without a turn no model was asked. */
interface SeenAsked {
  readonly upstream: { readonly name?: string; readonly url: string };
  readonly turn?: {
    readonly model: string;
    readonly client: { readonly format: Format };
    readonly wire: { readonly format: Format };
    readonly toolbox: Iterable<{ readonly name: string }>;
    readonly losses: readonly string[];
    readonly question: () => TurnRequest;
  };
}
