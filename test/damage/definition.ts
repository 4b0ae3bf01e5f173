import type { JsonObject } from '../../src/json/value.ts';
import type { SchemaObject } from '../../src/schema/types.ts';
import type { Random } from './random.ts';

/** A tool as an MCP server or a line of the command line's contract gives it. */
export interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: SchemaObject;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean };
}

/** A tool and a source of valid calls to it. */
export interface Subject extends Definition {
  make(random: Random): JsonObject;
}

/** One valid call, before anything is done to it. */
export interface Sample {
  readonly tool: Definition;
  readonly input: JsonObject;
  /** The other names in the toolbox, so that damages to a name know what they might hit. */
  readonly others: readonly string[];
}

export const readOnly = { readOnlyHint: true } as const;
export const destructive = { destructiveHint: true } as const;

/** What a tool may do, by its annotations alone. */
export const effectOf = (tool: Definition): 'read' | 'write' | 'destructive' =>
  tool.annotations?.destructiveHint ? 'destructive' : tool.annotations?.readOnlyHint ? 'read' : 'write';
