/** The entry `toolmend/gateway`: the MCP gateway inside a program of your own. For Node alone. */

export type { GatewayConfig, GatewayLog, ServerConfig, ServerOptions } from './config/config.ts';
export { readGatewayConfig } from './config/config.ts';
export { type GatewayOptions, type HttpOptions, type RunningGateway, startGateway } from './gateway.ts';
export { type RecordOptions, recordCalls } from './record-calls.ts';
