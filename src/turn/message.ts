import type { Carrying } from './extra.ts';
import type { CallPart, MediaPart, OpaquePart, ReasoningPart, RefusalPart, ResultPart, TextPart } from './part.ts';

/** What holds for the whole conversation, or from here on. */
export interface SystemMessage extends Carrying {
  readonly role: 'system';
  readonly parts: readonly (TextPart | OpaquePart)[];
}

/** What reaches the model: a person's words, and the results of its calls. */
export interface UserMessage extends Carrying {
  readonly role: 'user';
  readonly parts: readonly (TextPart | MediaPart | ResultPart | OpaquePart)[];
}

/** What the model said, in the order it said it. */
export interface AssistantMessage extends Carrying {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}

/** What an answer may be made of. */
export type AssistantPart = TextPart | MediaPart | ReasoningPart | RefusalPart | CallPart | OpaquePart;

/**
 * One message of a conversation. Results stand in a user message of their own or beside words, as the wire had them; the
 * results of one answer's calls stand in one message.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage;
