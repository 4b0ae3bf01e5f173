import type { Client } from '@modelcontextprotocol/client';
import type { McpTool } from '../../tools/tool-from-mcp.ts';

export interface RelistingOptions {
  /** The client in use, where there is one. */
  readonly current: () => Client | undefined;
  /** Takes in what was listed. */
  readonly taken: (definitions: readonly McpTool[]) => void;
  readonly timeout: number;
  /** Reads the list where the SDK's way, which leaves out what it does not know, is not good enough. */
  readonly read?: (client: Client, timeout: number) => Promise<readonly McpTool[]>;
}

const soon = 50;
/** A server that announces a change with every list must not keep us busy. */
const atMostEvery = 1000;

/** Knows whether the list of tools is up to date, and reads it anew where it is not. */
export class Relisting {
  readonly #options: RelistingOptions;
  #stale = false;
  #listing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last = 0;

  constructor(options: RelistingOptions) {
    this.#options = options;
  }

  /** Reads the list. Where that fails the list counts as out of date. */
  list(client: Client): Promise<void> {
    this.#stale = false;
    this.#listing = this.#read(client).finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Settles when the list is as the server last announced it. */
  async settle(client: Client): Promise<void> {
    await this.#listing;
    if (this.#stale) await this.list(client);
  }

  /** The server has announced a change. */
  announce(): void {
    this.#stale = true;
    if (this.#timer) return;
    const wait = Math.max(soon, this.#last + atMostEvery - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = Date.now();
      const client = this.#options.current();
      // The next call reads the list again, and tells of what fails.
      if (client) this.settle(client).catch(() => {});
    }, wait);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #read(client: Client): Promise<void> {
    try {
      const { timeout, read = knownTools } = this.#options;
      this.#options.taken(await read(client, timeout));
    } catch (error) {
      this.#stale = true;
      throw error;
    }
  }
}

async function knownTools(client: Client, timeout: number): Promise<readonly McpTool[]> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh', timeout });
  return tools as readonly McpTool[];
}
