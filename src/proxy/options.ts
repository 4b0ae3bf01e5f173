import type { JsonObject } from '../json/value.ts';
import type { Format } from '../model/index.ts';
import type { LoweringTarget } from '../provider/compat/lowering-target.ts';
import type { Policy } from '../tools/tool.ts';
import type { Timeouts } from './listen-options.ts';
import type { RequestRecord } from './observe/request-record.ts';
import type { ResponseHistory } from './observe/response-history.ts';

/** A model server that the proxy forwards requests to. */
export interface Upstream {
  /** Name in logs. */
  readonly name?: string;
  /** Base URL, to which request paths are appended. */
  readonly url: string;
  /** Further base URLs with the same models. Each conversation stays at one of them while it responds. */
  readonly alternates?: readonly string[];
  /** Upstreams to try, in this order, if this one fails before its response starts. */
  readonly fallbacks?: readonly Upstream[];
  /**
   * Its API formats; the preferred one for translation first.
   * @default detected
   */
  readonly formats?: readonly Format[];
  /**
   * Models it serves; `*` matches any text.
   * @default all
   */
  readonly models?: readonly string[];
  /**
   * Name of the model at the upstream, instead of the one that the client requests. `*` is replaced by the text that the
   * `*` of the pattern in `models` matched.
   */
  readonly model?: string;
  /** The limits that translated requests are adapted to. */
  readonly target?: LoweringTarget;
  /** Certificates of an authority (PEM) that is trusted for this upstream, besides the usual ones. */
  readonly ca?: string;
  /** Sent with every request, instead of the client's key. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: Policy;
  /**
   * How to read calls that models write as text. `native`: text is never read. A dialect's name: text without a native
   * call is read in it. `auto`: in the dialect of the chat template, else in any.
   * @default 'auto'
   */
  readonly dialect?: string;
  /**
   * Whether its models lack tool support, so that tools are described in the prompt and calls are read from text.
   * @default detected
   */
  readonly toolsInText?: boolean;
  /**
   * Whether its models think, so that translated requests have effort and thinking.
   * @default detected from responses
   */
  readonly reasoning?: boolean;
  /**
   * Tokens of prompt and response together. Larger output limits are lowered to what fits.
   * @default detected from refusals
   */
  readonly contextWindow?: number;
  /** Body fields that the client doesn't set, such as `{ options: { num_ctx: 32768 } }`. */
  readonly defaults?: JsonObject;
  /** Body fields that are removed, such as `store` or `stream_options.include_usage`. */
  readonly drop?: readonly string[];
}

/** Name of an upstream in logs: its name or its host. */
export const upstreamName = ({ name, url }: Pick<Upstream, 'name' | 'url'>): string => name ?? new URL(url).host;

/** Options of a proxy. */
export interface ProxyOptions {
  /** At least one. A request goes to the first that serves its model. */
  readonly upstreams: readonly Upstream[];
  /** Token that clients must send as their key. */
  readonly token?: string;
  /** Change nothing, and only report what would be mended. */
  readonly dryRun?: boolean;
  /**
   * Send arguments as they arrive, before they are known to be complete. A truncated call then reaches the client,
   * which may complete and run it.
   *
   * @default false
   */
  readonly streamArguments?: boolean;
  /**
   * How often calls that can't be mended are retried with the model, before the client sees them.
   * @default 0
   */
  readonly retries?: number;
  /** Limits of all retries together: milliseconds (default: 30,000) and output tokens (default: 8,192). */
  readonly retryLimits?: { readonly time?: number; readonly tokens?: number };
  /**
   * Maximum size of a request in bytes.
   * @default 32 MB
   */
  readonly maxBody?: number;
  /**
   * Maximum size of a response that isn't streamed, in bytes.
   * @default 64 MB
   */
  readonly maxResponse?: number;
  /**
   * Milliseconds without a byte before the client gets a keep-alive message, while a call is buffered.
   *
   * @default 10_000
   */
  readonly keepAlive?: number;
  readonly timeouts?: Timeouts;
  /** When requests are sent again, and when URLs are no longer used. */
  readonly failover?: FailoverOptions;
  /**
   * Stores translated responses for `previous_response_id`. Without it, such requests are refused if the upstream has no
   * Responses API.
   */
  readonly history?: ResponseHistory;
  /** Called after each response with calls. */
  readonly onResponse?: (report: ResponseReport) => void;
  /** Called when something was detected about an upstream that changes how it is used. */
  readonly onNotice?: (message: string) => void;
  /** Called after each request, with its content. Redact secrets before storing it. */
  readonly onRequest?: (seen: RequestRecord) => void;
  /** Called with error messages. */
  readonly onError?: (message: string) => void;
}

/** How the proxy retries requests that fail before their response starts: no connection, 408, 429, 500, 502–504, 529. */
export interface FailoverOptions {
  /**
   * How often a request is sent to an upstream. If the upstream has several URLs, each is tried once in every attempt.
   * @default 1
   */
  readonly attempts?: number;
  /**
   * Milliseconds that a client waits for attempts in total. If the upstream requests a longer pause, there is no other
   * attempt.
   * @default 10_000
   */
  readonly maxWait?: number;
  /**
   * Failures in a row after which a URL isn't used.
   * @default 3
   */
  readonly ejectAfter?: number;
  /**
   * Milliseconds until such a URL is probed. They double with each failed probe, up to ten times as many.
   * @default 30_000
   */
  readonly ejectFor?: number;
}

/** The calls of one response. */
export interface ResponseReport {
  readonly id: string;
  readonly model: string;
  readonly upstream: string;
  readonly client: Format;
  readonly wire: Format;
  readonly streamed: boolean;
  readonly calls: readonly CallReport[];
  /** Dialect of calls written as text. */
  readonly dialect?: string;
  /** Warnings of the translation between two API formats, and changes to the history. */
  readonly warnings: readonly string[];
}

/** One call. */
export interface CallReport {
  readonly name: string;
  readonly status: 'ok' | 'mended' | 'invalid';
  /** Whether it was changed. */
  readonly changed: boolean;
  /** Number of retries after which it replaced a bad call. */
  readonly retried?: number;
  readonly repairs: readonly string[];
  readonly problems: readonly string[];
}
