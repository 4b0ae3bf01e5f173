import type { Extra } from './extra.ts';

/** What can keep a model from answering. */
export type TurnErrorKind =
  /** No connection, or it broke. */
  | 'network'
  /** Nothing came for too long. */
  | 'timeout'
  /** The caller wanted no more. */
  | 'aborted'
  /** The provider refused the request: wrong key, wrong model, a schema it does not take. */
  | 'request'
  /** Too many requests, or too much for today. */
  | 'rate_limit'
  /** The provider is at fault, or says so. */
  | 'server'
  /** What came is not what the wire promises. */
  | 'protocol';

/** Why a turn failed, for a person and for whoever decides whether to try again. */
export interface TurnError {
  readonly kind: TurnErrorKind;
  /** What happened, and what to do next; holds no secret. */
  readonly message: string;
  /** The same request may succeed later. */
  readonly retryable: boolean;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** The provider's own code for it. */
  readonly code?: string;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfter?: number;
  /** The error as the wire gave it. */
  readonly extra?: Extra;
}
