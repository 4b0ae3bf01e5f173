import {
  checkIsDefinition,
  type Effect,
  makeTool,
  type Tool,
  type ToolContext,
  type ToolExecutor,
  type ToolMetadata,
} from './tool.ts';

/** An MCP server's unverified claims about a tool. */
export interface McpAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as listed by an MCP server. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: McpAnnotations | undefined;
  /** The effect, for definitions in your own code or files. */
  readonly effect?: Effect | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface McpOptions {
  /** Whether to trust hints that weaken the effect, as for tools you define yourself. */
  readonly trusted?: boolean;
  /** Its server. A model may write `server.name`. */
  readonly server?: string;
  readonly execute?: (input: unknown, context: ToolContext) => unknown;
  /** Timeout of a call in milliseconds. */
  readonly timeout?: number | undefined;
  /** Runs it, if a function isn't enough. */
  readonly executor?: ToolExecutor;
}

/**
 * Creates a tool from an MCP definition. `destructiveHint: true` always counts. `readOnlyHint` and `idempotentHint`
 * only count for trusted servers, because an untrusted server must not make a tool look safer than it is.
 */
export function toolFromMcp(definition: McpTool, options: McpOptions = {}): Tool {
  checkIsDefinition(definition);
  const { trusted = false, server, execute: run, timeout, executor } = options;
  const { name, inputSchema, annotations = {} } = definition;
  const title = definition.title ?? annotations?.title;
  return makeTool({
    name,
    description: definition.description ?? title ?? '',
    inputSchema,
    effect: effectOf(definition, trusted),
    repeat: trusted && annotations?.idempotentHint === true ? 'idempotent' : 'once',
    metadata: metadataOf(definition, title),
    ...(server !== undefined && { server }),
    ...(run && { execute: run }),
    ...(timeout !== undefined && { timeout }),
    ...(executor && { executor }),
  });
}

/** An explicit effect counts if it isn't weaker. An invalid one is left to the definition checks. */
function effectOf({ annotations: hints, effect }: McpTool, trusted: boolean): Effect {
  if (hints?.destructiveHint === true) return 'destructive';
  const hinted = trusted && hints?.readOnlyHint === true ? 'read' : 'write';
  return effect === undefined || effect === null || (effect === 'read' && !trusted) ? hinted : effect;
}

/** Keeps other fields as sent by the server. */
function metadataOf({ annotations, outputSchema, _meta }: McpTool, title: string | undefined): ToolMetadata {
  const kept = Object.entries({ annotations, outputSchema, _meta }).filter(([, value]) => value !== undefined);
  return {
    ...(title !== undefined && { title }),
    ...(kept.length > 0 && { customFields: Object.fromEntries(kept) }),
  };
}
