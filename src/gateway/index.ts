/** The entry `toolmend/gateway`: the MCP gateway inside a program of your own. For Node alone. */
export { type GatewayOptions, type HttpOptions, type RunningGateway, startGateway } from './gateway.ts';
export type { GatewayConfig, GatewayLog, ServerConfig, ServerOptions } from './gateway-config.ts';
export { readGatewayConfig } from './read-gateway-config.ts';
export { type RecordOptions, recordCalls } from './record-calls.ts';
