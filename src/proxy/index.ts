/** The entry `toolmend/proxy`: the mending proxy inside a program of your own. For Node alone. */

export type { FormatName, LogConfig, ModelConfig, ProxyConfig, UpstreamConfig } from './config/config.ts';
export { readConfig } from './config/config.ts';
export { type FoundUpstream, upstreamsOf } from './config/upstreams.ts';
export { type Metrics, metrics } from './observe/metrics.ts';
export type { RequestRecord } from './observe/request-record.ts';
export { type RecordOptions, recordAnswers } from './observe/run-log.ts';
export { traceRequests } from './observe/tracing.ts';
export {
  type AnswerReport,
  type CallReport,
  type ListenOptions,
  type ProxyOptions,
  type RequestLimits,
  type RunningProxy,
  startProxy,
  type Timeouts,
  type Upstream,
} from './server.ts';
export { type FindOptions, type FoundFormats, findFormats } from './upstream/detect-formats.ts';
