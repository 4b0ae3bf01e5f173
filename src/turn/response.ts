import type { Carrying } from './extra.ts';
import type { FinishReason } from './finish-reason.ts';
import type { AssistantMessage } from './message.ts';

/** A call whose name holds no letter and no digit: no tool can be meant, so it is no part of the message. */
export interface DroppedCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** What a turn cost, in tokens. */
export interface Usage extends Carrying {
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
export interface TurnResponse extends Carrying {
  readonly id?: string;
  /** The model that answered, by its own name. */
  readonly model?: string;
  readonly message: AssistantMessage;
  /** In our words; the wire's own word is kept in `extra` where ours does not lead back to it. */
  readonly finish: FinishReason;
  readonly usage?: Usage;
  /** Calls that were left out of the message, so that they are on record. */
  readonly dropped?: readonly DroppedCall[];
}
