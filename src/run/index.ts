/** The `toolmend/run` entry: `invoke()`, the agent loop, permissions and the log. */

export {
  type ApprovalRequest,
  type Approver,
  type AskReason,
  type CallToDecide,
  type PermissionDecision,
  type PermissionMode,
  type PermissionOptions,
  type Permissions,
  permissions,
} from '../execute/permission-rules.ts';
export {
  type RestAuth,
  type RestBreaker,
  type RestDefinition,
  type RestMethod,
  type RestResponse,
  type RestRetry,
  type RestSettings,
  restTool,
} from '../execute/rest/rest-tool.ts';
export type { ResultOptions } from '../execute/result-part.ts';
export { FetchError, type FetchErrorKind } from '../execute/safe-fetch/fetch-error.ts';
export { type Resolve, type Resolved, type SafeFetchOptions, safeFetch } from '../execute/safe-fetch/safe-fetch.ts';
export { spillTo } from '../execute/spill-to.ts';
export { type StatefulDefinition, statefulTool } from '../execute/stateful-tool.ts';
export type { ToolResult } from '../execute/tool-result.ts';
export { type Pending, pending, type ToolOutput, toolOutput } from '../execute/tool-result.ts';
export * from '../log/index.ts';
export type { RedactedRun, RedactRun } from '../log/journal.ts';
export type { Channel, RunError, RunListeners, StreamedEvent, WatchOptions } from '../log/subscribe.ts';
export type * from '../model/index.ts';
export {
  type Agent,
  type AgentOptions,
  agent,
  type ResumeOptions,
  type StartOptions,
  type SubmitOptions,
} from './agent.ts';
export { type AgentToolDefinition, agentTool } from './agent-tool.ts';
export type { Budgets } from './budgets.ts';
export { type FinalOutput, type FinalOutputOptions, finalOutput } from './final-output.ts';
export { InvalidEdit } from './invoke/invalid-edit.ts';
export { invoke } from './invoke/invoke.ts';
export { InvalidResult } from './invoke/receive-result.ts';
export type { BeforeCall, Hooks, Invocation, InvokeOptions, OutcomeListener, Recorder } from './invoke/types.ts';
export type { CallRepair, RunResult } from './loop.ts';
export { type RecordResultOptions, recordResult } from './results/record-result.ts';
export { type ResultHandler, type ResultHandlerOptions, resultHandler } from './results/result-handler.ts';
export { type ResultUrls, resultUrl } from './results/result-url.ts';
export { Run } from './run.ts';
export type { Price, Prices } from './steps/prices.ts';
export type { PreparedStep, PrepareStep, Step } from './steps/step.ts';
export { hasToolCall, type StepsSoFar, type StopCondition, stepCountIs } from './steps/stop-when.ts';
export { type TrimOptions, trimMessages } from './steps/trim-messages.ts';
export type { TraceOptions } from './tracing/loop-trace.ts';
export type { Tracer } from './tracing/open-telemetry.ts';
