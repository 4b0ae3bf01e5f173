/**
 * The common format of all providers, dialects and adapters: conversations, requests, responses and stream events.
 * Contains types only.
 */
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
export type { Model, ModelRequest, TurnOptions } from './model.ts';
export type * from './request.ts';
export type * from './response.ts';
export type { TurnError, TurnErrorKind } from './response.ts';
