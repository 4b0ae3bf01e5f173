import { schemaOf } from '../../schema/schema.ts';
import type { McpTool } from '../../tool/mcp.ts';
import { schemaSize } from '../../tool/schema-size.ts';

/** What is wrong with a structured result by the tool's own output schema; undefined where it fits, or none is usable. */
export function structuredFault({ outputSchema }: McpTool, structured: unknown): string | undefined {
  if (outputSchema === undefined || structured === undefined || schemaSize(outputSchema) !== 'fits') return undefined;
  try {
    const checked = schemaOf(outputSchema).check(structured);
    return checked.ok ? undefined : (checked.problems[0]?.message ?? 'it does not fit');
  } catch {
    // A schema that can't be used says nothing about the result.
    return undefined;
  }
}
