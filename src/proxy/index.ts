/** The `toolmend/proxy` entry: the mending proxy as a library. Requires Node. */

export type { FormatName, LogConfig, ModelConfig, ModelTarget, ProxyConfig, UpstreamConfig } from './config/config.ts';
export { readConfig } from './config/config.ts';
export { type DetectedUpstream, upstreamsOf } from './config/upstreams.ts';
export { type LiveFigures, type Metrics, metrics } from './observe/metrics.ts';
export type { FailedAttempt, RequestRecord } from './observe/request-record.ts';
export { type HistoryOptions, keepResponses, type ResponseHistory } from './observe/response-history.ts';
export { type RecordOptions, recordResponses } from './observe/run-log.ts';
export { traceRequests } from './observe/tracing.ts';
export {
  type CallReport,
  type ClientKey,
  createProxy,
  type FailoverOptions,
  type ListenOptions,
  type MendingProxy,
  type ProxyOptions,
  type RequestLimits,
  type ResponseReport,
  type RunningProxy,
  type Timeouts,
  type Upstream,
} from './server.ts';
export { type DetectedFormats, type DetectOptions, detectFormats } from './upstream/detect-formats.ts';
