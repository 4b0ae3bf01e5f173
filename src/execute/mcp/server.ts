import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { schemaOf } from '../../schema/schema.ts';
import { schemaSize } from '../../tools/check/schema-walk.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import type { McpTool } from '../../tools/tool-from-mcp.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { Catalogue, type McpChange, type RefusedTool, toolFromServer } from './catalogue.ts';
import { Connection, withRetry } from './connection.ts';
import { failureOf, toolRefusal } from './failure.ts';
import { fromMcpResult } from './from-mcp-result.ts';
import { Relisting } from './relisting.ts';
import type { McpServer, McpServerOptions, McpSettings } from './settings.ts';
import { settingsFaults } from './settings-faults.ts';

/** What a call needs: the exposed name, and the definition of the tool. */
interface Called {
  readonly name: string;
  readonly hash: string;
  readonly definition: McpTool;
}

/** An MCP server with its tools. Reconnects until it is closed. */
export class Server implements McpServer {
  readonly name: string;
  readonly #settings: McpSettings;
  readonly #options: McpServerOptions;
  readonly #connection: Connection;
  readonly #catalogue: Catalogue;
  readonly #relisting: Relisting;
  readonly #toolboxes = new Set<Toolbox>();
  #told = '';

  constructor(settings: McpSettings, options: McpServerOptions) {
    const { name } = settings;
    this.name = name;
    this.#settings = settings;
    this.#options = options;
    const { include, exclude, acceptNew, prefix = `mcp__${name}__` } = options;
    const { connectTimeout = 30_000, attempts = 3, grace = 1000, onStderr } = options;
    this.#catalogue = new Catalogue({ prefix, include, exclude, acceptNew, make: (called) => this.#make(called) });
    this.#relisting = new Relisting({
      timeout: connectTimeout,
      current: () => this.#connection.current,
      taken: (definitions) => this.#take(definitions),
    });
    this.#connection = new Connection(settings, {
      connectTimeout,
      attempts,
      grace,
      onStderr,
      opened: (client) => this.#relisting.list(client),
      listChanged: () => this.#relisting.announce(),
    });
  }

  get tools(): Tool[] {
    return this.#catalogue.tools;
  }

  get refused(): readonly RefusedTool[] {
    return this.#catalogue.refused;
  }

  get connected(): boolean {
    return this.#connection.current !== undefined;
  }

  get complaints(): string {
    return this.#connection.complaints;
  }

  get instructions(): string | undefined {
    return this.#connection.current?.getInstructions();
  }

  async connect(): Promise<void> {
    await this.#connection.use(async () => {});
  }

  changes(): McpChange[] {
    return this.#catalogue.changes();
  }

  accept(name: string, hash?: string): Tool {
    const tool = this.#catalogue.accept(name, hash);
    this.#put(tool);
    return tool;
  }

  addTo(toolbox: Toolbox): void {
    for (const tool of this.tools) toolbox.add(tool);
    this.#toolboxes.add(toolbox);
  }

  async close(): Promise<void> {
    this.#relisting.stop();
    await this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #make(called: Called): Tool {
    const { definition, name } = called;
    const { trusted = false, timeout } = this.#options;
    return toolFromServer(definition, {
      server: this.name,
      name,
      trusted,
      timeout,
      executor: {
        kind: 'mcp',
        check: () => settingsFaults(this.#settings, this.#options),
        execute: (input, context) => this.#call(called, input, context),
      },
    });
  }

  #put(tool: Tool): void {
    for (const toolbox of this.#toolboxes) {
      const before = toolbox.get(tool.name);
      toolbox.remove(tool.name);
      try {
        toolbox.add(tool);
      } catch (error) {
        // Another tool has a similar name, so the previous state is restored.
        if (before) toolbox.add(before);
        throw error;
      }
    }
  }

  #take(definitions: readonly McpTool[]): void {
    for (const tool of this.#catalogue.take(definitions)) {
      try {
        this.#put(tool);
      } catch {
        // The toolbox has a conflicting tool, so the user must decide.
        this.#catalogue.withdraw(tool.name);
      }
    }
    const changes = this.#catalogue.changes();
    const key = JSON.stringify(changes.map((one) => [one.type, one.name, 'hash' in one && one.hash]));
    if (key === this.#told) return;
    this.#told = key;
    try {
      if (changes.length > 0) this.#options.onChange?.(changes);
    } catch {
      // An error in a listener must not affect the tools.
    }
  }

  #call(called: Called, input: unknown, context: ToolContext): Promise<unknown> {
    return withRetry<unknown>(this.#connection, {
      signal: context.signal,
      work: (client) => this.#callWith(client, called, input, context),
      failed: (error, phase) => failureOf(error, this.name, phase),
    });
  }

  async #callWith(client: Client, called: Called, input: unknown, context: ToolContext): Promise<unknown> {
    const { definition, name, hash } = called;
    await this.#relisting.settle(client);
    const standing = this.#catalogue.standing(name, hash);
    if (standing !== 'good') return toolRefusal(name, standing);
    context.signal.throwIfAborted();
    const result = await callTool(client, definition, input, context);
    const fault = result.isError ? undefined : structuredFault(definition, result.structuredContent);
    if (fault) context.note(`The result does not match the tool's output schema: ${fault}`);
    return fromMcpResult(result);
  }
}

/** Disables the SDK's timeout, because the caller has its own. */
const forever = 2 ** 31 - 1;

/** Calls a tool. Forwards aborts to the server, and progress to the caller. */
function callTool(
  client: Client,
  definition: McpTool,
  input: unknown,
  { signal, progress }: ToolContext,
): Promise<CallToolResult> {
  const params = { name: definition.name, arguments: (input ?? {}) as Record<string, unknown> };
  return client.callTool(params, {
    signal,
    timeout: forever,
    onprogress: ({ progress: done, total, message }) =>
      progress({ done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
    // Uses the accepted definition without its output schema: the tool has run, and its result must not be lost because
    // it doesn't match.
    toolDefinition: { ...definition, outputSchema: undefined } as never,
  });
}

/**
 * Validates a structured result against the tool's output schema. Undefined if it matches or the schema isn't usable.
 */
function structuredFault({ outputSchema }: McpTool, structured: unknown): string | undefined {
  if (outputSchema === undefined || structured === undefined || schemaSize(outputSchema) !== 'fits') return undefined;
  try {
    const checked = schemaOf(outputSchema).check(structured);
    return checked.ok ? undefined : (checked.problems[0]?.message ?? 'it does not match');
  } catch {
    // An unusable schema says nothing about the result.
    return undefined;
  }
}
