/** The entry `toolmend/proxy`: the mending proxy inside a program of your own. For Node alone. */
export { type FindOptions, type FoundFormats, findFormats } from './find-formats.ts';
export { type Metrics, metrics } from './metrics.ts';
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
} from './proxy.ts';
export type { FormatName, LogConfig, ModelConfig, ProxyConfig, UpstreamConfig } from './proxy-config.ts';
export { readConfig } from './read-config.ts';
export { type RecordOptions, recordAnswers } from './record-answers.ts';
export type { RequestRecord } from './seen-request.ts';
export { traceRequests } from './trace-request.ts';
export { type FoundUpstream, upstreamsOf } from './upstreams-of.ts';
