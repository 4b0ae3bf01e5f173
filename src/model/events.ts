import type { JsonValue } from '../json/value.ts';
import type { AssistantPart, Format, Passthrough } from './messages.ts';
import type { IgnoredCall, TurnError, TurnResponse } from './response.ts';

/** The response has started. */
export interface TurnStarted {
  readonly type: 'turn.started';
  readonly id?: string;
  readonly model?: string;
  readonly passthrough?: Passthrough;
}

/** A part has started. `part` is what is known so far, including a call's id and complete name. */
export interface PartStarted {
  readonly type: 'part.started';
  /** Index in the message. */
  readonly index: number;
  readonly part: AssistantPart;
}

/** More text of a part, or the next piece of a call's arguments. */
export interface PartDelta {
  readonly type: 'part.delta';
  readonly index: number;
  readonly text: string;
}

/** A part has ended. Whether it is complete depends on `TurnResponse.finish` and, for calls, on the arguments. */
export interface PartFinished {
  readonly type: 'part.finished';
  readonly index: number;
  readonly part: AssistantPart;
}

/** A call without a usable name, or one that the server sent twice, was removed from the message. */
export interface CallIgnored {
  readonly type: 'call.ignored';
  readonly call: IgnoredCall;
}

/** A value that the common format can't express. */
export interface ProviderUnknown {
  readonly type: 'provider.unknown';
  readonly format: Format;
  readonly value: JsonValue;
}

/** The response is complete. Always the last event. */
export interface TurnFinished {
  readonly type: 'turn.finished';
  readonly response: TurnResponse;
}

/** The response broke off or never started. Always the last event; `response` is what arrived until then. */
export interface TurnFailed {
  readonly type: 'turn.failed';
  readonly error: TurnError;
  readonly response: TurnResponse;
}

/**
 * Events of a stream. Parts start in order, and each finishes once unless the turn fails; parallel calls can receive
 * deltas alternately. A stream ends with exactly one `turn.finished` or `turn.failed`.
 */
export type TurnEvent =
  | TurnStarted
  | PartStarted
  | PartDelta
  | PartFinished
  | CallIgnored
  | ProviderUnknown
  | TurnFinished
  | TurnFailed;
