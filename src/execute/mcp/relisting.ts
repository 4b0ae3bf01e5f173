import type { Client } from '@modelcontextprotocol/client';
import type { McpTool } from '../../tools/tool-from-mcp.ts';

export interface RelistingOptions {
  /** The connected client, if any. */
  readonly current: () => Client | undefined;
  /** Called with the listed tools. */
  readonly taken: (definitions: readonly McpTool[]) => void;
  readonly timeout: number;
  /** Custom function to read the list, because the SDK drops unknown fields. */
  readonly read?: (client: Client, timeout: number) => Promise<readonly McpTool[]>;
}

const soon = 50;
/** Limits how often the list is read, for servers that keep announcing changes. */
const atMostEvery = 1000;

/** Keeps the list of tools up to date. */
export class Relisting {
  readonly #options: RelistingOptions;
  #stale = false;
  #listing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last = Number.NEGATIVE_INFINITY;

  constructor(options: RelistingOptions) {
    this.#options = options;
  }

  /** Reads the list. If that fails, it stays out of date. */
  list(client: Client): Promise<void> {
    this.#stale = false;
    this.#listing = this.#read(client).finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  /** Resolves when the list is up to date. */
  async settle(client: Client): Promise<void> {
    await this.#listing;
    if (this.#stale) await this.list(client);
  }

  /** Called when the server announces a change. */
  announce(): void {
    this.#stale = true;
    if (this.#timer) return;
    const wait = Math.max(soon, this.#last + atMostEvery - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#last = performance.now();
      const client = this.#options.current();
      // The next call reads the list again and reports failures.
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
