import type { Problem } from '../json/problem.ts';
import type { Repair } from '../json/repair.ts';
import type { JsonValue } from '../json/value.ts';
import type { Carrying, Format, ProviderSignature } from './extra.ts';

/** Words for people or for the model. */
export interface TextPart extends Carrying {
  readonly type: 'text';
  readonly text: string;
  readonly seal?: ProviderSignature;
}

/** An image, a document or a sound: its bytes in base64, where it lies, or a file the provider already holds. */
export interface MediaPart extends Carrying {
  readonly type: 'media';
  /** `image/png`; `image/*` where the wire does not say. */
  readonly mediaType: string;
  readonly source: { readonly data: string } | { readonly url: string } | { readonly file: string };
  readonly name?: string;
}

/** What the model thought before it spoke. */
export interface ReasoningPart extends Carrying {
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
export interface RefusalPart extends Carrying {
  readonly type: 'refusal';
  readonly text: string;
}

/** A tool was called. */
export interface CallPart extends Carrying {
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
export interface ResultPart extends Carrying {
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
