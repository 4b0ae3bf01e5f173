/**
 * The entry `toolmend/run`: `invoke()`, the agent loop, permissions, and the log of what happened.
 */
export type { ApprovalRequest, Approver, CallToDecide, PermissionDecision, Permissions } from '../exec/permission.ts';
export { type PermissionMode, type PermissionOptions, permissions } from '../exec/permissions.ts';
export {
  type RestAuth,
  type RestBreaker,
  type RestDefinition,
  type RestMethod,
  type RestResponse,
  type RestRetry,
  type RestSettings,
  restTool,
} from '../exec/rest/rest-tool.ts';
export type { ResultOptions } from '../exec/result-part.ts';
export { FetchError, type FetchErrorKind } from '../exec/safe-fetch/fetch-error.ts';
export { type Resolve, type Resolved, type SafeFetchOptions, safeFetch } from '../exec/safe-fetch/safe-fetch.ts';
export { spillTo } from '../exec/spill-to.ts';
export { type StatefulDefinition, statefulTool } from '../exec/stateful-tool.ts';
export { type ToolOutput, toolOutput } from '../exec/tool-output.ts';
export type { ToolResult } from '../exec/tool-result.ts';
export type { Channel, StreamedEvent } from '../log/hub.ts';
export * from '../log/log.ts';
export type { WatchOptions } from '../log/watch.ts';
export type * from '../turn/turn.ts';
export { type Agent, type AgentOptions, agent } from './agent.ts';
export type { Budgets } from './budgets.ts';
export type { BeforeCall, Hooks } from './hooks.ts';
export { InvalidEdit } from './invalid-edit.ts';
export type { Invocation, InvokeOptions, Recorder } from './invocation.ts';
export { invoke } from './invoke.ts';
export type { TraceOptions } from './loop-trace.ts';
export { Run, type RunResult } from './run.ts';
export type { RunError, RunListeners } from './run-listeners.ts';
