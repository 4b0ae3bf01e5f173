import type { InspectorOptions } from '../inspect/inspector.ts';
import type { Store } from '../log/store.ts';
import type { Metrics } from './observe/metrics.ts';

/** Where a proxy listens, and to whom. */
export interface ListenOptions {
  /** Any that is free unless it is said. */
  readonly port?: number;
  /** The address to listen on; `127.0.0.1` unless it is said. Any that others can reach needs a token. */
  readonly host?: string;
  /** Names clients may call this machine by, besides those of the loopback interface: `host.docker.internal`. */
  readonly hosts?: readonly string[];
  readonly limits?: RequestLimits;
  readonly timeouts?: Timeouts;
  /** The figures to show at `/metrics`. */
  readonly metrics?: Pick<Metrics, 'show'>;
  /** The answers to show at `/toolmend/runs`, and in the inspector. */
  readonly store?: Store;
  /**
   * Shows the inspector at `/inspector/`, to those who know this token, or the proxy's own where it has one. It guards
   * `/toolmend/runs` too.
   */
  readonly inspect?: Pick<InspectorOptions, 'canApprove' | 'onDecision' | 'live'> & { readonly token: string };
}

/** How much one key may ask, or one address where no key is shown. */
export interface RequestLimits {
  /** Requests in a minute; no limit unless it is said. */
  readonly perMinute?: number;
  /** Requests at the same time; 2,048 unless it is said. */
  readonly concurrency?: number;
  /** Connections to the proxy, of everybody together; 4,096 unless it is said. */
  readonly connections?: number;
}

/** How long a client may take, and an upstream, in milliseconds. */
export interface Timeouts {
  /** For the head of a request; 20 s unless it is said. */
  readonly head?: number;
  /** For a whole request; 5 min unless it is said. */
  readonly request?: number;
  /** How long answers under way may go on when the proxy closes; 30 s unless it is said. */
  readonly close?: number;
  /** For a connection to an upstream; 10 s unless it is said. */
  readonly connect?: number;
  /** How long an upstream may say nothing; 30 min unless it is said. */
  readonly idle?: number;
}
