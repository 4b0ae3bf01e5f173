import type { JsonValue } from '../json/value.ts';
import type { JsonSchema } from '../schema/types.ts';
import type { Format, Message, WithPassthrough } from './messages.ts';

/** A tool as a wire shows it to the model: no way to run, no effect. */
export interface ToolSpec extends WithPassthrough {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  /** The schema of its arguments; absent where the wire gave none. */
  readonly schema?: JsonSchema;
  /** The provider is asked to hold the model to the schema. */
  readonly strict?: boolean;
}

/** A tool the provider runs itself (search, a sandbox, an MCP connector): known to its own format only. */
export interface OpaqueTool {
  readonly type: 'opaque';
  readonly format: Format;
  readonly value: JsonValue;
}

/** Whether the model may, must or must not call, or which tool it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly tool: string };

/** The answer is to be JSON: any, or such as fits a schema. */
export type OutputForm =
  | ({ readonly type: 'json' } & WithPassthrough)
  | ({
      readonly type: 'schema';
      readonly schema: JsonSchema;
      readonly name?: string;
      readonly description?: string;
      readonly strict?: boolean;
    } & WithPassthrough);

/** How much the model is to think: not at all, by a word the provider knows, or by a number of tokens. */
export interface ReasoningSetting extends WithPassthrough {
  readonly enabled: boolean;
  /** `minimal`, `low`, `medium`, `high`; other words are passed on as they are. */
  readonly effort?: string;
  readonly budget?: number;
}

/** One question to a model, in the words of no provider. */
export interface TurnRequest extends WithPassthrough {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly (ToolSpec | OpaqueTool)[];
  readonly toolChoice?: ToolChoice;
  /** False: at most one call in an answer. */
  readonly parallelCalls?: boolean;
  readonly output?: OutputForm;
  readonly reasoning?: ReasoningSetting;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly stop?: readonly string[];
  /** The answer is to come as a stream. */
  readonly stream?: boolean;
}
