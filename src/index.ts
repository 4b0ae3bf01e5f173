/** Toolmend: everything between what a model writes and what your code runs. */

// Tools.

export { ConfigurationValidationError } from './tools/config-error.ts';
export type { Policy, ToolboxPolicy } from './tools/tool.ts';
export {
  type Effect,
  type Repeat,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolExample,
  type ToolExecutor,
  type ToolMetadata,
  type ToolProperty,
  tool,
} from './tools/tool.ts';
export { type McpTool, toolFromMcp } from './tools/tool-from-mcp.ts';
export { Toolbox, type ToolboxOptions, type ToolSearch } from './tools/toolbox.ts';

// Mending calls and values.

export { type Feedback, type FeedbackOptions, feedback, retryGuidance } from './mend/feedback/feedback.ts';
export { mend, type SdkCall } from './mend/mend.ts';
export { type MendValueOptions, mendValue, type PartialOf, type StreamValueOptions } from './mend/mend-value.ts';
export type {
  BadOutcome,
  BadValue,
  ErrorType,
  GoodOutcome,
  GoodValue,
  MendedValue,
  Outcome,
} from './mend/outcome.ts';
export type { ValueSoFar, ValueStream } from './mend/streaming/value-stream.ts';
export { type MendedSchema, withMending } from './mend/with-mending.ts';
export type { FinishReason, RawCall, WrittenFinishReason } from './model/index.ts';

// Types of JSON and schemas.

export type { Limits } from './json/limits.ts';
export type { Problem, ProblemCode } from './json/problem.ts';
export type { Certainty, Repair, RepairKind } from './json/repair.ts';
export type { Change } from './json/tolerant/state.ts';
export { ToolmendError, type ToolmendErrorCode } from './json/toolmend-error.ts';
export type { JsonObject, JsonValue, Path } from './json/value.ts';
export type { DeepPartial, InferInput, InferOutput } from './schema/infer.ts';
export type { Checked, Schema } from './schema/schema.ts';
export type { JsonSchema, SchemaObject } from './schema/types.ts';
