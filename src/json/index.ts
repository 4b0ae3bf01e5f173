/** The `toolmend/json` entry: reads JSON and text that is almost JSON, and reports every change. */

export type { Limits } from './limits.ts';
export type { Problem, ProblemCode } from './problem.ts';
export { JsonReader, type ReaderOptions, type Reading, type ReadOptions, readJson } from './read-json.ts';
export type { Certainty, Repair, RepairKind } from './repair.ts';
export type { Change } from './tolerant/state.ts';
export { ToolmendError, type ToolmendErrorCode } from './toolmend-error.ts';
export type { JsonObject, JsonValue, Path } from './value.ts';
