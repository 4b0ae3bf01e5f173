import type { ToolSpec } from '../../model/index.ts';
import { type Tool, tool } from '../../tools/tool.ts';

/**
 * A tool of a definition that came in a request: nothing is known of its effect, so it counts as a write that is not to
 * be repeated. For a toolbox that takes definitions as `given`.
 */
export function toolFromSpec({ name, description, schema }: ToolSpec): Tool {
  return tool({
    name,
    description: description ?? '',
    ...(schema !== undefined && { inputSchema: schema as unknown }),
  });
}
