import type { JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/types.ts';
import type { Format, Message, WithPassthrough } from './messages.ts';

/** A tool as sent to the model: without `execute` and effect. */
export interface ToolSpec extends WithPassthrough {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  /** Schema of its arguments, if there is one. */
  readonly schema?: JsonSchema;
  /** Whether the provider should enforce the schema. */
  readonly strict?: boolean;
}

/** A tool that the provider runs itself (search, a sandbox, an MCP connector). Only its own format can express it. */
export interface OpaqueTool {
  readonly type: 'opaque';
  readonly format: Format;
  readonly value: JsonValue;
}

/** Whether the model may, must or must not call tools, or which tool it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** Requests JSON output: any, or one that matches a schema. */
export type OutputForm =
  | ({ readonly type: 'json' } & WithPassthrough)
  | ({
      readonly type: 'schema';
      readonly schema: JsonSchema;
      readonly name?: string;
      readonly description?: string;
      readonly strict?: boolean;
    } & WithPassthrough);

/** Whether and how much the model reasons: an effort level or a token budget. */
export interface ReasoningSetting extends WithPassthrough {
  readonly enabled: boolean;
  /** `minimal`, `low`, `medium` or `high`; other values are passed on unchanged. */
  readonly effort?: string;
  readonly budget?: number;
}

/** A request to a model, independent of the provider. */
export interface TurnRequest extends WithPassthrough {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly (ToolSpec | OpaqueTool)[];
  readonly toolChoice?: ToolChoice;
  /** False allows at most one call per response. */
  readonly parallelCalls?: boolean;
  readonly output?: OutputForm;
  readonly reasoning?: ReasoningSetting;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  /** Whether to stream the response. */
  readonly stream?: boolean;
}
