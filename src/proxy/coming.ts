import type { ArgumentGate, GateState } from '../call/argument-gate.ts';
import type { JudgedCall } from '../call/mended-call.ts';
import type { CallPart, OpaquePart, TextPart, TurnError, TurnEvent, TurnResponse } from '../turn/turn.ts';
import type { ChunkHead } from './call-events.ts';

/** A call that is coming. */
export interface PendingCall {
  readonly gate: ArgumentGate;
  state: GateState;
  /** What the client has of its argument text. */
  sent: string;
  /** The call as it came, once it is whole. */
  whole?: CallPart;
  judged?: JudgedCall;
  /** What is still to be sent of a mended call's text. */
  rest?: string;
  /** Its end is written. */
  closed?: boolean;
  /** Its beginning went out. */
  begun?: boolean;
  /** It is no function call: its text has no end of its own. */
  opaque?: OpaquePart;
  /** Nothing that comes can change it. */
  settled?: boolean;
  /** The text that goes out in its place. */
  note?: TextPart;
}

/** A frame that waits, with what it said. */
export interface Waiting {
  readonly bytes: Buffer;
  readonly events: readonly TurnEvent[];
  /** It said something, though perhaps nothing new; a comment says nothing. */
  readonly said: boolean;
  /** It names a call or holds a piece of one, and nobody has said so yet. */
  readonly head: ChunkHead;
}

/** How a turn ended. */
export interface Ending {
  readonly response: TurnResponse;
  readonly error?: TurnError;
}
