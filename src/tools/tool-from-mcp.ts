import { type Effect, makeTool, type Tool, type ToolContext, type ToolExecutor, type ToolMetadata } from './tool.ts';

/** What an MCP server says a tool does; nobody has checked it. */
export interface McpAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: McpAnnotations | undefined;
  /** A definition of a program's or file's own may say its effect outright. */
  readonly effect?: Effect | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

export interface McpOptions {
  /** Whether hints that weaken an effect are believed: yes for tools a program or file defines itself. */
  readonly trusted?: boolean;
  /** The server that lists it: a model may write `server.name`. */
  readonly server?: string;
  readonly execute?: (input: unknown, context: ToolContext) => unknown;
  /** How long one run may take, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Runs it where a function alone does not do. */
  readonly executor?: ToolExecutor;
}

/**
 * Makes a tool of an MCP definition. `destructiveHint: true` always counts; `readOnlyHint` and `idempotentHint` count
 * only for trusted servers, because a stranger's word must not make a tool look safer than it is.
 */
export function toolFromMcp(definition: McpTool, options: McpOptions = {}): Tool {
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

/** An effect that is written out counts where it is no weaker, and one that does not exist is left for the checks. */
function effectOf({ annotations: hints, effect }: McpTool, trusted: boolean): Effect {
  if (hints?.destructiveHint === true) return 'destructive';
  const hinted = trusted && hints?.readOnlyHint === true ? 'read' : 'write';
  return effect === undefined || effect === null || (effect === 'read' && !trusted) ? hinted : effect;
}

/** What has no word of its own here is kept as the server sent it. */
function metadataOf({ annotations, outputSchema, _meta }: McpTool, title: string | undefined): ToolMetadata {
  const kept = Object.entries({ annotations, outputSchema, _meta }).filter(([, value]) => value !== undefined);
  return {
    ...(title !== undefined && { title }),
    ...(kept.length > 0 && { customFields: Object.fromEntries(kept) }),
  };
}
