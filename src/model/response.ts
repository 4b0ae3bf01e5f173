import type { AssistantMessage, FinishReason, Passthrough, WithPassthrough } from './messages.ts';

/**
 * A call that is not part of the message, because its name has no letter and no digit, so that it can't refer to a tool,
 * or because the server sent it twice.
 */
export interface IgnoredCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  /** Whether the message has a call with the same id, name and arguments. */
  readonly repeated?: boolean;
}

/** Token usage of a turn. */
export interface Usage extends WithPassthrough {
  /** Input tokens, including cached ones. */
  readonly input?: number;
  /** Output tokens, including reasoning. */
  readonly output?: number;
  /** Input tokens read from a cache. */
  readonly cached?: number;
  /** Input tokens written to a cache. */
  readonly cacheWritten?: number;
  /** Output tokens used for reasoning. */
  readonly reasoning?: number;
}

/** A complete response of a model. */
export interface TurnResponse extends WithPassthrough {
  readonly id?: string;
  /** Name of the model, as reported by the provider. */
  readonly model?: string;
  readonly message: AssistantMessage;
  /** The common finish reason. If it doesn't map back to the provider's own, that one is in `passthrough`. */
  readonly finish: FinishReason;
  readonly usage?: Usage;
  /** Calls that were removed from the message. */
  readonly ignored?: readonly IgnoredCall[];
}

/** Kinds of errors that keep a model from responding. */
export type TurnErrorKind =
  /** The connection failed or broke. */
  | 'network'
  /** A timeout expired. */
  | 'timeout'
  /** The caller aborted. */
  | 'aborted'
  /** The provider rejected the request: wrong key, unknown model, unsupported schema. */
  | 'request'
  /** A rate limit or quota was exceeded. */
  | 'rate_limit'
  /** The provider reported an internal error. */
  | 'server'
  /** The response violates the API format. */
  | 'protocol';

/** Why a turn failed. */
export interface TurnError {
  readonly kind: TurnErrorKind;
  /** What happened and what to do. Contains no secrets. */
  readonly message: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** HTTP status, if there was one. */
  readonly status?: number;
  /** The provider's error code. */
  readonly code?: string;
  /** The delay requested by the provider, in milliseconds. */
  readonly retryAfter?: number;
  /** The original error. */
  readonly passthrough?: Passthrough;
}
