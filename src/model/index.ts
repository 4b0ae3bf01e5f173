/**
 * The common format of all providers, dialects and adapters: conversations, requests, responses and stream events.
 * Contains types only.
 */
import type { TurnEvent } from './events.ts';
import type { TurnRequest } from './request.ts';

export type * from './events.ts';
export type * from './messages.ts';
export type * from './messages.ts';
export type {
  FinishReason,
  Format,
  Passthrough,
  ProviderSignature,
  RawCall,
  WithPassthrough,
  WrittenFinishReason,
} from './messages.ts';
export type * from './request.ts';
export type * from './response.ts';
export type { TurnError, TurnErrorKind } from './response.ts';

/** A request without the model's name, which the model can fill in itself. */
export type ModelRequest = Omit<TurnRequest, 'model' | 'stream'> & { readonly model?: string };

/** Options of one turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal;
}

/** A model. `stream` runs one turn, and never throws for network or provider failures: it ends with `turn.failed`. */
export interface Model {
  /** Name of the model, for logs and traces. */
  readonly name: string;
  /** Name of the provider: `openai`, `anthropic`, `scripted`. */
  readonly provider: string;
  /**
   * Whether the service parses its models' calls itself. Calls in text then count only if nothing about them is
   * doubtful.
   */
  readonly hosted?: boolean;
  stream(request: ModelRequest, options?: TurnOptions): AsyncIterable<TurnEvent>;
}
