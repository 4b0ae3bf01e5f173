import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { schemaOf } from '../../schema/schema.ts';
import { schemaSize } from '../../tools/check/schema-walk.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import type { McpTool } from '../../tools/tool-from-mcp.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import { Catalogue, type McpChange, type RefusedTool, toolFromServer } from './catalogue.ts';
import { Connection } from './connection.ts';
import { failureOf } from './failure.ts';
import { outputOf } from './output.ts';
import { refusal } from './refusal.ts';
import { Relisting } from './relisting.ts';
import { withRetry } from './retry.ts';
import type { McpServer, McpServerOptions, McpSettings } from './settings.ts';
import { settingsFaults } from './settings-faults.ts';

/** A tool as its calls need it: the name models write, and the definition it was made of. */
interface Called {
  readonly name: string;
  readonly hash: string;
  readonly definition: McpTool;
}

/** A server whose tools are on offer: connected, lost and connected again, until it is closed. */
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
      ...{ connectTimeout, attempts, grace, onStderr },
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
      ...{ server: this.name, name, trusted, timeout },
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
        // Another tool there has a name like its own: things stay as they were.
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
        // A toolbox can't hold it beside another, so that somebody must decide.
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
      // A listener's fault must not stop the server's tools.
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
    if (standing !== 'good') return refusal(name, standing);
    context.signal.throwIfAborted();
    const result = await callTool(client, definition, input, context);
    const fault = result.isError ? undefined : structuredFault(definition, result.structuredContent);
    if (fault) context.note(`The result is not what the tool promises: ${fault}`);
    return outputOf(result);
  }
}

/** Whoever runs the tool has the deadline, so that the SDK's own must never be the shorter one. */
const forever = 2 ** 31 - 1;

/** Calls a tool of a server. An abort is told to the server, and what the server reports is passed on as progress. */
function callTool(
  client: Client,
  definition: McpTool,
  input: unknown,
  { signal, progress }: ToolContext,
): Promise<CallToolResult> {
  const params = { name: definition.name, arguments: (input ?? {}) as Record<string, unknown> };
  return client.callTool(params, {
    ...{ signal, timeout: forever },
    onprogress: ({ progress: done, total, message }) =>
      progress({ done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) }),
    // The definition that was accepted counts. Its output schema is left out: a tool that has run has run, and what it
    // gave must not be lost because it is not what was promised.
    toolDefinition: { ...definition, outputSchema: undefined } as never,
  });
}

/** What is wrong with a structured result by the tool's own output schema; undefined where it fits, or none is usable. */
function structuredFault({ outputSchema }: McpTool, structured: unknown): string | undefined {
  if (outputSchema === undefined || structured === undefined || schemaSize(outputSchema) !== 'fits') return undefined;
  try {
    const checked = schemaOf(outputSchema).check(structured);
    return checked.ok ? undefined : (checked.problems[0]?.message ?? 'it does not fit');
  } catch {
    // A schema that can't be used says nothing about the result.
    return undefined;
  }
}
