import { ConfigurationValidationError } from '../../tool/configuration-validation-error.ts';
import { messageOf } from '../tool-result.ts';
import { Server } from './server.ts';
import type { McpServer, McpServerOptions, McpSettings } from './settings.ts';
import { settingsFaults } from './settings-faults.ts';

/**
 * Connects to an MCP server, over the input and output of a process or over HTTP, and offers its tools.
 *
 * @example
 * const files = await mcpServer({ name: 'files', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] });
 * const helper = agent({ model, tools: files.tools });
 * await files.close();
 */
export async function mcpServer(settings: McpSettings, options: McpServerOptions = {}): Promise<McpServer> {
  const faults = settingsFaults(settings, options);
  const [first] = faults;
  if (first) {
    const message = `The MCP server can't be set up: ${first.message}. ${first.fix}.`;
    throw new ConfigurationValidationError(message, { configType: 'mcp', field: first.field, faults });
  }
  const server = new Server(settings, options);
  try {
    await server.connect();
  } catch (error) {
    await server.close();
    const said = server.complaints && ` Its last words: ${server.complaints}`;
    throw new Error(`The MCP server '${settings.name}' could not be reached: ${messageOf(error)}.${said}`, {
      cause: error,
    });
  }
  return server;
}
