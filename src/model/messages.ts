import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** What holds for the whole conversation, or from here on. */
export interface SystemMessage extends WithPassthrough {
  readonly role: 'system';
  readonly parts: readonly (TextPart | OpaquePart)[];
}

/** What reaches the model: a person's words, and the results of its calls. */
export interface UserMessage extends WithPassthrough {
  readonly role: 'user';
  readonly parts: readonly (TextPart | MediaPart | ResultPart | OpaquePart)[];
}

/** What the model said, in the order it said it. */
export interface AssistantMessage extends WithPassthrough {
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

/** Words for people or for the model. */
export interface TextPart extends WithPassthrough {
  readonly type: 'text';
  readonly text: string;
  readonly seal?: ProviderSignature;
}

/** An image, a document or a sound: its bytes in base64, where it lies, or a file the provider already holds. */
export interface MediaPart extends WithPassthrough {
  readonly type: 'media';
  /** `image/png`; `image/*` where the wire does not say. */
  readonly mediaType: string;
  readonly source: { readonly data: string } | { readonly url: string } | { readonly file: string };
  readonly name?: string;
}

/** What the model thought before it spoke. */
export interface ReasoningPart extends WithPassthrough {
  readonly type: 'reasoning';
  /** Empty where the provider shows none of it. */
  readonly text: string;
  /** The provider's id of it, where it has one. */
  readonly id?: string;
  readonly seal?: ProviderSignature;
  /** The provider keeps the words to itself: the seal is all there is. */
  readonly hidden?: boolean;
}

/** The model said that it will not. */
export interface RefusalPart extends WithPassthrough {
  readonly type: 'refusal';
  readonly text: string;
}

/** A tool was called. */
export interface CallPart extends WithPassthrough {
  readonly type: 'call';
  readonly id: string;
  /** As the model wrote it. */
  readonly name: string;
  /** Text, whatever it holds, where the wire has text; a value where the wire has one. */
  readonly arguments: unknown;
  /** What was found wrong where it was read from text, which its arguments do not show; `mend` must be told. */
  readonly found?: readonly Problem[];
  /** What was inferred where it was read from text; `mend` must be told this too. */
  readonly read?: readonly Repair[];
  readonly seal?: ProviderSignature;
}

/** What came of a call. */
export interface ResultPart extends WithPassthrough {
  readonly type: 'result';
  /** The id of the call it answers. */
  readonly callId: string;
  /** The tool's name, which some wires want. */
  readonly name?: string;
  readonly content: readonly (TextPart | MediaPart | OpaquePart)[];
  readonly isError?: boolean;
}

/** A part the middle shape does not know: a server's own tool, a citation block. It comes out in its own format only. */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly format: Format;
  readonly value: JsonValue;
}

/** Anything a message may be made of. */
export type Part = TextPart | MediaPart | ReasoningPart | RefusalPart | CallPart | ResultPart | OpaquePart;

/** The wires spoken: each a way to write a conversation, its answer and the answer's stream. */
export type Format = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ollama';

/**
 * What a wire said that the middle shape has no word for. It is carried along untouched and laid over what is written
 * in the same format again; other formats leave it out. That it is there at all, though empty, says that the part
 * stood as an object of its own where the wire has a shorter way.
 */
export interface Passthrough {
  readonly format: Format;
  readonly fields: JsonObject;
}

/**
 * What a provider signed or encrypted, and wants back unchanged with the part it stands on: a thinking signature, a
 * thought signature, encrypted reasoning. It means nothing to any other format.
 */
export interface ProviderSignature {
  readonly format: Format;
  readonly value: string;
}

/** What everything in the middle shape may carry. */
export interface WithPassthrough {
  readonly passthrough?: Passthrough;
}

/** How a message ended, in one set of words for all providers. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'filter' | 'error' | 'other';

/** How a message ended, in our words or in the provider's own, as its SDK gives them. */
export type WrittenFinishReason =
  | FinishReason
  | 'max_tokens'
  | 'MAX_TOKENS'
  | 'max_output_tokens'
  | 'model_length'
  | 'incomplete'
  | 'model_context_window_exceeded'
  | (string & {})
  | null;

/** What a model wrote when it called a tool, before anybody has judged it. */
export interface RawCall {
  /** The provider's id of the call, where it gave one. */
  readonly id?: string | undefined;
  /** The tool's name as written. */
  readonly name: string;
  /** The arguments as text (whatever it holds) or as a value some client has parsed already. */
  readonly arguments?: unknown;
  /**
   * How the message that held the call ended, in our words or in the provider's own. `length`, however it is spelt
   * (`max_tokens`, `MAX_TOKENS`, `incomplete`), condemns a call that is still open, no other.
   */
  readonly finishReason?: WrittenFinishReason | undefined;
  /** What was found wrong where it was read, which the arguments do not show; a call with any of it never runs. */
  readonly found?: readonly Problem[] | undefined;
  /** The same call was refused before for what its values look like: sent again, it is meant. */
  readonly repeated?: boolean | undefined;
  /** What was inferred where it was read, beside what its arguments show: that it was written as text, for one. */
  readonly read?: readonly Repair[] | undefined;
}
