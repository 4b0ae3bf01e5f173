import type { ToolSpec } from '../model/index.ts';
import type { Tool } from '../tools/tool.ts';

/** A tool as it is shown to a model: its name, its description and the JSON Schema of its input. */
export function specOf(tool: Tool): ToolSpec {
  const schema = tool.schema.json;
  return {
    type: 'function',
    name: tool.name,
    ...(tool.description !== '' && { description: tool.description }),
    ...(schema !== undefined && { schema }),
  };
}
