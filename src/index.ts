/**
 * Toolmend: everything between what a model wrote and what your code runs.
 */
export { type Feedback, type FeedbackOptions, feedback } from './call/feedback.ts';
export { mend } from './call/mend.ts';
export {
  type MendedValue,
  type MendValueOptions,
  mendValue,
  type ValueSoFar,
  type ValueStream,
} from './call/mend-value.ts';
export { type MendedSchema, mended } from './call/mended.ts';
export type { BadOutcome, ErrorType, GoodOutcome, Outcome } from './call/outcome.ts';
export { retryGuidance } from './call/retry-guidance.ts';
export { JsonReader, type ReaderOptions, type Reading, type ReadOptions, readJson } from './json/json.ts';
export type { Limits } from './json/limits.ts';
export type { Change } from './json/machine.ts';
export type { Problem, ProblemCode } from './json/problem.ts';
export type { Certainty, Repair, RepairKind } from './json/repair.ts';
export type { JsonObject, JsonValue, Path } from './json/value.ts';
export type { JsonSchema, SchemaObject } from './schema/json-schema.ts';
export type { Checked, Schema } from './schema/schema.ts';
export { ConfigurationValidationError } from './tool/configuration-validation-error.ts';
export { type McpTool, toolFromMcp } from './tool/mcp.ts';
export type { Policy, ToolboxPolicy } from './tool/policy.ts';
export {
  type Effect,
  type Repeat,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolMetadata,
  type ToolProperty,
  tool,
} from './tool/tool.ts';
export { Toolbox, type ToolboxOptions, type ToolSearch } from './tool/toolbox.ts';
export type { FinishReason, RawCall, WrittenFinishReason } from './turn/turn.ts';
