import type { Tool } from '../../tools/tool.ts';
import { type McpOptions, type McpTool, toolFromMcp } from '../../tools/tool-from-mcp.ts';

/** Makes a tool of what a server lists; servers may leave the description out, and a toolbox asks for one. */
export function toolFromServer(
  definition: McpTool,
  { server, name = definition.name, ...options }: McpOptions & { readonly server: string; readonly name?: string },
): Tool {
  const title = definition.title ?? definition.annotations?.title;
  const description = definition.description?.trim() || title || `${definition.name}, a tool of ${server}`;
  return toolFromMcp({ ...definition, name, description }, { ...options, server });
}
