import type { JsonObject } from '../json/value.ts';

/** The wires spoken: each a way to write a conversation, its answer and the answer's stream. */
export type Format = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ollama';

/**
 * What a wire said that the middle shape has no word for. It is carried along untouched and laid over what is written
 * in the same format again; other formats leave it out. That it is there at all, though empty, says that the part
 * stood as an object of its own where the wire has a shorter way.
 */
export interface Extra {
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
export interface Carrying {
  readonly extra?: Extra;
}
