/** The `toolmend/gateway` entry: the MCP gateway as a library. Requires Node. */

export type { GatewayConfig, GatewayLog, ServerConfig, ServerOptions } from './config/config.ts';
export { readGatewayConfig } from './config/config.ts';
export {
  createGateway,
  type GatewayOptions,
  type HttpOptions,
  type McpGateway,
  type McpTransport,
  type RunningGateway,
} from './gateway.ts';
export { type RecordOptions, recordCalls } from './record-calls.ts';
