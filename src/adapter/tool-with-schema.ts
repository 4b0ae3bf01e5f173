import { zodWaits } from '../tools/check/zod-async.ts';
import { type Tool, tool } from '../tools/tool.ts';

/**
 * A framework's tool, for judging calls by its own schema. A schema that waits can't be asked at once: its JSON Schema stands
 * in, and the framework asks it before the tool runs.
 */
export function toolWithSchema(name: string, description: string, schema: unknown): Tool {
  const whole = tool({ name, description, ...(schema !== undefined && { inputSchema: schema }) });
  const waits = whole.schema.kind === 'zod' && zodWaits(schema) === 'yes';
  // A copy, since the JSON Schema that Zod writes brings Zod's own check along.
  return waits ? tool({ name, description, inputSchema: structuredClone(whole.schema.json) as unknown }) : whole;
}
