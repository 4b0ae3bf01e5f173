import type { InspectorOptions } from '../inspect/inspector.ts';
import type { Store } from '../log/store.ts';
import type { Metrics } from './observe/metrics.ts';

/** Where a proxy listens, and who can connect. */
export interface ListenOptions {
  /** @default any free port */
  readonly port?: number;
  /**
   * Address to listen on. An address that other machines can reach requires a token.
   * @default '127.0.0.1'
   */
  readonly host?: string;
  /** Host names that clients may use besides the loopback names, such as `host.docker.internal`. */
  readonly hosts?: readonly string[];
  /** Web pages that may send requests, such as `https://app.example.com`. */
  readonly origins?: readonly string[];
  /** Keys of clients, each with its own limits. They are accepted like the token, except for recorded responses. */
  readonly keys?: readonly ClientKey[];
  readonly limits?: RequestLimits;
  readonly timeouts?: Timeouts;
  /** Metrics to serve at `/metrics`. */
  readonly metrics?: Pick<Metrics, 'show'>;
  /** Store of responses to serve at `/toolmend/runs` and in the inspector. */
  readonly store?: Store;
  /**
   * Serves the inspector at `/inspector/`, with this token, or with the proxy's own if it has one. The token also
   * protects `/toolmend/runs`.
   */
  readonly inspect?: Pick<InspectorOptions, 'canApprove' | 'onDecision' | 'live'> & { readonly token: string };
}

/** A key that a client sends as its API key. */
export interface ClientKey {
  /** Name in logs and metrics. */
  readonly name: string;
  /** At least 16 characters. */
  readonly key: string;
  /**
   * Requests per minute.
   * @default the limit for all clients
   */
  readonly perMinute?: number;
  /**
   * Concurrent requests.
   * @default the limit for all clients
   */
  readonly concurrency?: number;
  /**
   * Input and output tokens per day (UTC), counted since the proxy started.
   * @default no limit
   */
  readonly tokensPerDay?: number;
}

/** Limits for all clients with the token, for each key, or per address if the proxy has no token. */
export interface RequestLimits {
  /**
   * Requests per minute.
   * @default no limit
   */
  readonly perMinute?: number;
  /**
   * Concurrent requests.
   * @default 2_048
   */
  readonly concurrency?: number;
  /**
   * Connections to the proxy in total.
   * @default 4_096
   */
  readonly connections?: number;
}

/** Timeouts in milliseconds. */
export interface Timeouts {
  /**
   * For the headers of a request.
   * @default 20 s
   */
  readonly head?: number;
  /**
   * For a complete request.
   * @default 5 min
   */
  readonly request?: number;
  /**
   * For responses in progress when the proxy closes.
   * @default 30 s
   */
  readonly close?: number;
  /**
   * For a connection to an upstream.
   * @default 10 s
   */
  readonly connect?: number;
  /**
   * Between two bytes from an upstream.
   * @default 30 min
   */
  readonly idle?: number;
}
