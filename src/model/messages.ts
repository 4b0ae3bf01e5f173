import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

/** Instructions for the whole conversation, or from this point on. */
export interface SystemMessage extends WithPassthrough {
  readonly role: 'system';
  readonly parts: readonly (TextPart | OpaquePart)[];
}

/** Input for the model: user content and tool results. */
export interface UserMessage extends WithPassthrough {
  readonly role: 'user';
  readonly parts: readonly (TextPart | MediaPart | ResultPart | OpaquePart)[];
}

/** Output of the model, in its original order. */
export interface AssistantMessage extends WithPassthrough {
  readonly role: 'assistant';
  readonly parts: readonly AssistantPart[];
}

/** Parts of an assistant message. */
export type AssistantPart = TextPart | MediaPart | ReasoningPart | RefusalPart | CallPart | OpaquePart;

/**
 * A message of a conversation. Results are in a user message, alone or with other content as received; all results of
 * one assistant message are in one user message.
 */
export type Message = SystemMessage | UserMessage | AssistantMessage;

/** Text for the user or the model. */
export interface TextPart extends WithPassthrough {
  readonly type: 'text';
  readonly text: string;
  readonly signature?: ProviderSignature;
}

/** An image, a document or audio: base64 data, a URL, or a file stored by the provider. */
export interface MediaPart extends WithPassthrough {
  readonly type: 'media';
  /** For example `image/png`, or `image/*` if unknown. */
  readonly mediaType: string;
  readonly source: { readonly data: string } | { readonly url: string } | { readonly file: string };
  readonly name?: string;
}

/** The model's reasoning before its output. */
export interface ReasoningPart extends WithPassthrough {
  readonly type: 'reasoning';
  /** Empty if the provider doesn't show it. */
  readonly text: string;
  /** The provider's id, if there is one. */
  readonly id?: string;
  readonly signature?: ProviderSignature;
  /** Whether the provider hides the text and only sends a signature. */
  readonly hidden?: boolean;
}

/** The model declined to respond. */
export interface RefusalPart extends WithPassthrough {
  readonly type: 'refusal';
  readonly text: string;
}

/** A tool call. */
export interface CallPart extends WithPassthrough {
  readonly type: 'call';
  readonly id: string;
  /** As written by the model. */
  readonly name: string;
  /** Text as received, even if invalid, or a value for APIs that use values. */
  readonly arguments: unknown;
  /** Problems found when the call was read from text, which its arguments don't show. Pass them to `mend`. */
  readonly found?: readonly Problem[];
  /** Repairs made when the call was read from text. Pass them to `mend`. */
  readonly read?: readonly Repair[];
  readonly signature?: ProviderSignature;
}

/** The result of a call. */
export interface ResultPart extends WithPassthrough {
  readonly type: 'result';
  /** Id of the call. */
  readonly callId: string;
  /** Name of the tool, which some APIs require. */
  readonly name?: string;
  readonly content: readonly (TextPart | MediaPart | OpaquePart)[];
  readonly isError?: boolean;
}

/**
 * A part that the common format can't express, such as a server tool or a citation block. Only its own format writes
 * it.
 */
export interface OpaquePart {
  readonly type: 'opaque';
  readonly format: Format;
  readonly value: JsonValue;
}

/** Any part of a message. */
export type Part = TextPart | MediaPart | ReasoningPart | RefusalPart | CallPart | ResultPart | OpaquePart;

/** Supported API formats, each for requests, responses and streams. */
export type Format = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ollama';

/**
 * Fields that the common format can't express. They are kept unchanged and written back in the same format; other
 * formats drop them. Even an empty passthrough has a meaning: the part was an object where the API also has a shorter
 * form.
 */
export interface Passthrough {
  readonly format: Format;
  readonly fields: JsonObject;
}

/**
 * Data that a provider signed or encrypted and requires back unchanged with its part, such as a thinking signature or
 * encrypted reasoning. No other format uses it.
 */
export interface ProviderSignature {
  readonly format: Format;
  readonly value: string;
}

/** Anything that can have passthrough fields. */
export interface WithPassthrough {
  readonly passthrough?: Passthrough;
}

/** Why a message ended, for all providers. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'filter' | 'error' | 'other';

/** Why a message ended: our finish reasons, or the provider's own as its SDK has them. */
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

/** A call as written by a model, before it is mended. */
export interface RawCall {
  /** The provider's id of the call, if there is one. */
  readonly id?: string | undefined;
  /** Name of the tool as written. */
  readonly name: string;
  /** The arguments as text, even if invalid, or as a value that a client has parsed. */
  readonly arguments?: unknown;
  /**
   * Why the message with the call ended: our finish reason or the provider's own. `length`, in any spelling
   * (`max_tokens`, `MAX_TOKENS`, `incomplete`), invalidates the call only if it is still open.
   */
  readonly finishReason?: WrittenFinishReason | undefined;
  /** Problems found when the call was read, which its arguments don't show. A call with problems never runs. */
  readonly found?: readonly Problem[] | undefined;
  /** Whether the same call was refused before because its values looked doubtful. Repeating it confirms it. */
  readonly repeated?: boolean | undefined;
  /** Repairs made when the call was read, for example that it was written as text. */
  readonly read?: readonly Repair[] | undefined;
}
