import type { Tool } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { McpChange, RefusedTool } from './catalogue.ts';

/** A server that is started as a process of ours and spoken to over its input and output. */
export interface McpCommand {
  /** Stands in the names of its tools. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the few variables a server gets: it never sees our whole environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that runs elsewhere and is spoken to over streamable HTTP. */
export interface McpAddress {
  /** Stands in the names of its tools. */
  readonly name: string;
  readonly url: string;
  /** Sent with every request, to this origin alone: an `Authorization`, say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where an MCP server is found. */
export type McpSettings = McpCommand | McpAddress;

export interface McpServerOptions {
  /** Only tools whose own names fit one of these; `*` stands for any text. */
  readonly include?: readonly string[];
  /** No tool whose own name fits one of these. */
  readonly exclude?: readonly string[];
  /** Stands before each tool's name; `mcp__server__` unless it is said. */
  readonly prefix?: string;
  /** Whether its word counts that a tool only reads, or may run twice. Default false. */
  readonly trusted?: boolean;
  /** How long one call may take, in milliseconds; what runs the tool has a default. */
  readonly timeout?: number;
  /** How long connecting may take in all, tries and waits together. Default 30 seconds. */
  readonly connectTimeout?: number;
  /** How often connecting is tried before a call fails. Default 3. */
  readonly attempts?: number;
  /** How long the process of a server may take to end before it is killed. Default 1 second for each step. */
  readonly grace?: number;
  /** Tools that appear later may be called at once. By default they wait for `accept`. */
  readonly acceptNew?: boolean;
  /** Told when the server's tools are no longer those that were accepted. */
  readonly onChange?: (changes: readonly McpChange[]) => void;
  /** Told what the process of a server writes to its error output. */
  readonly onStderr?: (text: string) => void;
}

/** A server whose tools are on offer. It is connected again when it was lost, until it is closed. */
export interface McpServer {
  readonly name: string;
  /** The tools that may be called, as they were accepted. */
  readonly tools: Tool[];
  /** What it lists that can't be offered, and why. */
  readonly refused: readonly RefusedTool[];
  /** Whether there is a connection now; without one the next call makes it. */
  readonly connected: boolean;
  /** How the server wants its tools to be used, where it says so. */
  readonly instructions: string | undefined;
  /** How its tools differ from those that were accepted; calls to such tools are refused. */
  changes(): McpChange[];
  /**
   * Accepts a tool as the server lists it now, and gives it; toolboxes it was added to by `addTo` hold it from then on.
   * With the hash of a change, only that very definition is accepted.
   */
  accept(name: string, hash?: string): Tool;
  /** Adds its tools to a toolbox, and later those that are accepted. */
  addTo(toolbox: Toolbox): void;
  /** Leaves the server, and ends its process and whatever that started. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
