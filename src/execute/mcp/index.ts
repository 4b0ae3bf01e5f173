/** The `toolmend/mcp` entry: tools of MCP servers. Separate from `toolmend/run` because it loads the MCP SDK. */
export type { McpChange, RefusedTool } from './catalogue.ts';
export type { McpOutput, McpResult } from './from-mcp-result.ts';
export { type McpConfig, type McpServers, mcpServer, mcpServers } from './mcp-server.ts';
export type { McpAddress, McpCommand, McpServer, McpServerOptions, McpSettings } from './settings.ts';
