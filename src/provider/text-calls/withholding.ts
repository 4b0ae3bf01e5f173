import type { JsonValue } from '../../json/value.ts';
import type { CheckedCall } from '../../mend/mend-call.ts';
import type { FinishReason, OpaquePart, TurnResponse } from '../../model/index.ts';

/** The text that replaces a call. */
export interface Note {
  readonly text: string;
  /** Whether the call was truncated, which the finish reason then says. */
  readonly isCut: boolean;
}

/** Which calls must not reach the receiver, and the note that replaces each. */
export interface Withholding {
  /** @param broken whether the stream broke off before the call was complete */
  note(call: CheckedCall, broken: boolean): Note | undefined;
  /** Whether a part other than a function call is a call that the receiver would run. */
  isCall(part: OpaquePart): boolean;
  /** @param finish the finish reason, if this is the last part of the response */
  opaqueNote(part: OpaquePart, finish: FinishReason | undefined, broken: boolean): Note | undefined;
  /** Whether a value that the common shape can't express belongs to the part. */
  isPiece(value: JsonValue, part: OpaquePart): boolean;
  /** Removes such calls from a complete response. */
  response(response: TurnResponse, calls: readonly CheckedCall[]): TurnResponse;
}
