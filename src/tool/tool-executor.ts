import type { Fault } from './configuration-validation-error.ts';
import type { ToolContext } from './tool-context.ts';

/** A way to run a tool that needs settings: over HTTP, by an MCP server, on an instance that lives as long as the run. */
export interface ToolExecutor {
  /** `stateful`, `rest`, `mcp` */
  readonly kind: string;
  /** What is wrong with its settings; asked when the tool is added. */
  check?(): readonly Fault[];
  run(input: unknown, context: ToolContext): unknown;
}
