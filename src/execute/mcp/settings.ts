import type { Tool } from '../../tools/tool.ts';
import type { Toolbox } from '../../tools/toolbox.ts';
import type { McpChange, RefusedTool } from './catalogue.ts';

/** A server that runs as a child process with stdio. */
export interface McpCommand {
  /** Part of its tools' names. */
  readonly name: string;
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the few variables that a server gets. It never gets the complete environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that is reached over streamable HTTP. */
export interface McpAddress {
  /** Part of its tools' names. */
  readonly name: string;
  readonly url: string;
  /** Sent with each request, to this origin only, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** How to reach an MCP server. */
export type McpSettings = McpCommand | McpAddress;

export interface McpServerOptions {
  /** Only tools whose own name matches one of these; `*` matches any text. */
  readonly include?: readonly string[];
  /** No tools whose own name matches one of these. */
  readonly exclude?: readonly string[];
  /**
   * Prefix of each tool's name.
   * @default 'mcp__server__'
   */
  readonly prefix?: string;
  /**
   * Whether to trust the server's claim that a tool is read-only or idempotent.
   * @default false
   */
  readonly trusted?: boolean;
  /**
   * Timeout of a call in milliseconds.
   * @default the default of the caller
   */
  readonly timeout?: number;
  /**
   * Total time to connect in milliseconds, including retries.
   * @default 30_000
   */
  readonly connectTimeout?: number;
  /**
   * Number of connection attempts before a call fails.
   * @default 3
   */
  readonly attempts?: number;
  /**
   * Time for the server's process to exit, per step, before it is killed.
   * @default 1_000
   */
  readonly grace?: number;
  /**
   * Whether tools that are added later can be called immediately. Otherwise they need `accept`.
   * @default false
   */
  readonly acceptNew?: boolean;
  /** Called when the server's tools differ from the accepted ones. */
  readonly onChange?: (changes: readonly McpChange[]) => void;
  /** Called with the stderr output of the server's process. */
  readonly onStderr?: (text: string) => void;
}

/** A connected server. Reconnects until it is closed. */
export interface McpServer {
  readonly name: string;
  /** The accepted tools. */
  readonly tools: Tool[];
  /** Listed tools that can't be used, and why. */
  readonly refused: readonly RefusedTool[];
  /** Whether it is connected. Otherwise the next call connects. */
  readonly connected: boolean;
  /** The server's instructions for using its tools, if it has any. */
  readonly instructions: string | undefined;
  /** Differences between the listed and the accepted tools. Calls to these tools are refused. */
  changes(): McpChange[];
  /**
   * Accepts a tool as it is listed now, and updates the toolboxes of `addTo`. With the hash of a change, only that
   * definition is accepted.
   */
  accept(name: string, hash?: string): Tool;
  /** Adds its tools to a toolbox, including those accepted later. */
  addTo(toolbox: Toolbox): void;
  /** Disconnects, and ends the server's process with its child processes. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
