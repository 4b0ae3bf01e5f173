import type { Fault } from '../../tool/configuration-validation-error.ts';
import type { McpTool } from '../../tool/mcp.ts';

/** How a server's tools differ from those that were accepted. `name` is the name models write. */
export type McpChange =
  | {
      readonly type: 'changed';
      readonly name: string;
      readonly before: McpTool;
      readonly after: McpTool;
      /** Stands for the new definition: give it to `accept` and nothing newer is accepted in its place. */
      readonly hash: string;
    }
  | { readonly type: 'added'; readonly name: string; readonly after: McpTool; readonly hash: string }
  | { readonly type: 'removed'; readonly name: string; readonly before: McpTool };

/** A tool that was listed and can't be offered, and why. */
export interface RefusedTool {
  readonly name: string;
  readonly faults: readonly Fault[];
}
