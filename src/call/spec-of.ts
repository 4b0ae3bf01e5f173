import type { Tool } from '../tool/tool.ts';
import type { ToolSpec } from '../turn/turn.ts';

/** A tool as a model is shown it: its name, what it does, and the schema of its arguments. */
export const specOf = ({ name, description, schema }: Tool): ToolSpec => ({
  type: 'function',
  name,
  ...(description !== '' && { description }),
  schema: schema.json ?? { type: 'object', properties: {} },
});
