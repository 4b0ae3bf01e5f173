/**
 * The middle shape every provider, dialect and entrance speaks: a conversation, a question, an answer, and what a stream
 * yields. Types only; may import types of `json/`, `schema/` and `tool/`.
 */
export type * from './event.ts';
export type { Carrying, Extra, Format, ProviderSignature } from './extra.ts';
export type { FinishReason, WrittenFinishReason } from './finish-reason.ts';
export type * from './message.ts';
export type { Model, Question, TurnOptions } from './model.ts';
export type * from './part.ts';
export type { RawCall } from './raw-call.ts';
export type * from './request.ts';
export type * from './response.ts';
export type { TurnError, TurnErrorKind } from './turn-error.ts';
