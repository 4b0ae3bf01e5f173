import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { McpTool } from '../../tool/mcp.ts';
import type { ToolContext } from '../../tool/tool.ts';

/** Whoever runs the tool has the deadline, so that the SDK's own must never be the shorter one. */
const forever = 2 ** 31 - 1;

/** Calls a tool of a server. An abort is told to the server, and what the server reports is passed on as progress. */
export function callTool(
  client: Client,
  definition: McpTool,
  input: unknown,
  { signal, progress }: ToolContext,
): Promise<CallToolResult> {
  const params = { name: definition.name, arguments: (input ?? {}) as Record<string, unknown> };
  return client.callTool(params, {
    ...{ signal, timeout: forever },
    onprogress: ({ progress: done, total, message }) =>
      progress({ done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
    // The definition that was accepted counts. Its output schema is left out: a tool that has run has run, and what it
    // gave must not be lost because it is not what was promised.
    toolDefinition: { ...definition, outputSchema: undefined } as never,
  });
}
