import type { AssistantMessage, FinishReason, Passthrough, WithPassthrough } from './messages.ts';

/** A call whose name holds no letter and no digit: no tool can be meant, so it is no part of the message. */
export interface DroppedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** What a turn cost, in tokens. */
export interface Usage extends WithPassthrough {
  /** All that was read, from a cache too. */
  readonly input?: number;
  /** All that was written, thoughts too. */
  readonly output?: number;
  /** The part of `input` that came from a cache. */
  readonly cached?: number;
  /** The part of `input` that was put into a cache. */
  readonly cacheWritten?: number;
  /** The part of `output` that was thought. */
  readonly reasoning?: number;
}

/** A model's answer, whole. */
export interface TurnResponse extends WithPassthrough {
  readonly id?: string;
  /** The model that answered, by its own name. */
  readonly model?: string;
  readonly message: AssistantMessage;
  /** In our words; the wire's own word is kept in `passthrough` where ours does not lead back to it. */
  readonly finish: FinishReason;
  readonly usage?: Usage;
  /** Calls that were left out of the message, so that they are on record. */
  readonly dropped?: readonly DroppedCall[];
}

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
  readonly passthrough?: Passthrough;
}
