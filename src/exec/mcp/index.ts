/**
 * The entry `toolmend/mcp`: the tools of MCP servers, as tools of a toolbox. It loads the MCP SDK, which is why it stands
 * apart from `toolmend/run`.
 */
export type { McpChange, RefusedTool } from './change.ts';
export { mcpServer } from './mcp-server.ts';
export { type McpConfig, type McpServers, mcpServers } from './mcp-servers.ts';
export type { McpOutput } from './output-of.ts';
export type { McpAddress, McpCommand, McpServer, McpServerOptions, McpSettings } from './settings.ts';
