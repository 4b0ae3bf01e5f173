import type { JsonValue } from '../json/value.ts';
import type { AssistantPart, Format, Passthrough } from './messages.ts';
import type { DroppedCall, TurnError, TurnResponse } from './response.ts';

/** The answer has begun. */
export interface TurnStarted {
  readonly type: 'turn.started';
  readonly id?: string;
  readonly model?: string;
  readonly passthrough?: Passthrough;
}

/** A part has begun: `part` is what is known of it, a call's id and whole name among it. */
export interface PartStarted {
  readonly type: 'part.started';
  /** Its place in the message. */
  readonly index: number;
  readonly part: AssistantPart;
}

/** More of a part came: words of a text, a thought or a refusal, or the next piece of a call's argument text. */
export interface PartDelta {
  readonly type: 'part.delta';
  readonly index: number;
  readonly text: string;
}

/** A part is whole, or as whole as it will be: `TurnResponse.finish` and the call's own text tell. */
export interface PartFinished {
  readonly type: 'part.finished';
  readonly index: number;
  readonly part: AssistantPart;
}

/** A call that names nothing was left out of the message. */
export interface CallDropped {
  readonly type: 'call.dropped';
  readonly call: DroppedCall;
}

/** Something the wire said that the middle shape has no word for. */
export interface WireUnknown {
  readonly type: 'wire.unknown';
  readonly format: Format;
  readonly value: JsonValue;
}

/** The answer is whole. Always the last. */
export interface TurnFinished {
  readonly type: 'turn.finished';
  readonly response: TurnResponse;
}

/** The answer broke off, or never began. Always the last; `response` is what came until then. */
export interface TurnFailed {
  readonly type: 'turn.failed';
  readonly error: TurnError;
  readonly response: TurnResponse;
}

/**
 * What a stream yields. Parts start in the order of their indexes, and each finishes once, unless the turn fails before;
 * calls that come side by side may grow in turn. A stream ends with exactly one `turn.finished` or `turn.failed`.
 */
export type TurnEvent =
  | TurnStarted
  | PartStarted
  | PartDelta
  | PartFinished
  | CallDropped
  | WireUnknown
  | TurnFinished
  | TurnFailed;
