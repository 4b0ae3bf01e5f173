/**
 * The entry `toolmend/mcp`: the tools of MCP servers, as tools of a toolbox. It loads the MCP SDK, which is why it stands
 * apart from `toolmend/run`.
 */
export type { McpChange, RefusedTool } from './catalogue.ts';
export { type McpConfig, type McpServers, mcpServer, mcpServers } from './mcp-server.ts';
export type { McpOutput } from './output.ts';
export type { McpAddress, McpCommand, McpServer, McpServerOptions, McpSettings } from './settings.ts';
