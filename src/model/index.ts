/**
 * The middle shape every provider, dialect and entrance speaks: a conversation, a question, an answer, and what a stream
 * yields. Types only; may import types of `json/`, `schema/` and `tool/`.
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
