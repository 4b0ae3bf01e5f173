import type { IncomingMessage } from 'node:http';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { Format, TurnErrorKind, TurnRequest, TurnResponse } from '../../model/index.ts';
import type { UnreadUsage } from './unread-usage.ts';

/** A completed request. */
export interface RequestRecord {
  readonly id: string;
  /** Start in milliseconds since 1970, and duration. */
  readonly at: number;
  readonly ms: number;
  /** Milliseconds of our own work: parsing, mending, translating. */
  readonly own: number;
  /** Name of the client's key. */
  readonly key?: string;
  readonly method: string;
  /** Without the query, which may contain keys. */
  readonly path: string;
  /** 499 if the client disconnected. */
  readonly status: number;
  /** Whether the client disconnected before the response was complete. */
  readonly left: boolean;
  /** The model that the client requested. */
  readonly model: string;
  /** Its name at the upstream, if it is another. */
  readonly upstreamModel?: string;
  readonly upstream: string;
  /** API formats of the client and the upstream, for a model request. */
  readonly client?: Format;
  readonly wire?: Format;
  readonly streamed: boolean;
  /** Names of the request's tools. */
  readonly tools: readonly string[];
  readonly calls: readonly CheckedCall[];
  /** The client's request, read on first use. */
  readonly question?: () => TurnRequest;
  /** The upstream's response, if it was read. */
  readonly response?: TurnResponse | undefined;
  /** Warnings of the translation between two API formats that are new in the client's session, worst first. */
  readonly warnings: readonly string[];
  readonly error?: string | undefined;
  /** The kind of the error; `aborted` if the client disconnected. */
  readonly errorKind?: TurnErrorKind;
  /** Milliseconds from the start of the request to the first output of the model, if it was streamed. */
  readonly firstToken?: number;
  /** The attempts that failed before the response started, without the last one. */
  readonly attempts?: readonly FailedAttempt[];
  /** The client's trace. */
  readonly traceparent?: string | undefined;
}

/** An attempt that was followed by another one. */
export interface FailedAttempt {
  readonly upstream: string;
  readonly kind: TurnErrorKind;
  /** HTTP status, if there was one. */
  readonly status?: number | undefined;
}

/** A request in progress. The record is created at the end, and only if there is a listener. */
export interface RequestProgress {
  readonly id: string;
  readonly at: number;
  readonly began: number;
  readonly request: IncomingMessage;
  readonly key?: string;
  own: number;
  /** Whether the client disconnected before the response was complete. */
  left?: boolean;
  /** The request's upstream and turn. */
  asked?: SeenAsked;
  streamed: boolean;
  calls: readonly CheckedCall[];
  readonly attempts: FailedAttempt[];
  response?: TurnResponse | undefined;
  error?: string | undefined;
  /** The kind of the error, if the status of the response doesn't say it. */
  errorKind?: TurnErrorKind;
  firstToken?: number;
  /** Bytes of the request's body, unless it is a file. */
  size?: number;
  /** The tokens of a response that isn't read, for a client with a key. */
  unread?: UnreadUsage;
}

/** What a request is for. Without a turn, it isn't for a model. */
interface SeenAsked {
  readonly upstream: { readonly name?: string; readonly url: string };
  /** Set if it only counts tokens. */
  readonly count?: unknown;
  readonly turn?: {
    readonly model: string;
    readonly upstreamModel: string;
    readonly client: { readonly format: Format };
    readonly wire: { readonly format: Format };
    readonly toolbox: Iterable<{ readonly name: string }>;
    readonly warnings: readonly string[];
    readonly session: string;
    readonly question: () => TurnRequest;
  };
}
