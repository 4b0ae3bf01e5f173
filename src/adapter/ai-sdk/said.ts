import type { JsonObject } from '../../json/value.ts';
import type { AssistantPart, Extra, Format } from '../../turn/turn.ts';
import type { StreamPartOf, ToolCall } from './sdk-types.ts';

/** Which format is meant matters only where a wire is written, and none is here. */
export const format: Format = 'openai-chat';

/** What the SDK said of a text or a call, which our own part has no word for. */
export interface SdkFields {
  readonly start?: StreamPartOf<'text-start' | 'tool-input-start'>;
  readonly end?: StreamPartOf<'text-end' | 'tool-input-end'>;
  readonly call?: ToolCall;
  /** The call came in one piece, and is passed on so. */
  readonly whole?: boolean;
}

/** How a part carries it along. */
export const withSdkFields = (said: SdkFields): Extra => ({ format, fields: said as unknown as JsonObject });

/** What a part carries; nothing where it was made of words. */
export const sdkFieldsOf = (part: AssistantPart): SdkFields =>
  'extra' in part ? ((part.extra?.fields ?? {}) as unknown as SdkFields) : {};
