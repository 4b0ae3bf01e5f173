import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  type ClientCapabilities,
  type Implementation,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import { ToolmendError } from '../../json/toolmend-error.ts';
import { deliveryOf } from './failure.ts';
import type { McpSettings } from './settings.ts';
import { type OpenedTransport, openTransport } from './transport.ts';

export interface ConnectionOptions {
  readonly connectTimeout: number;
  readonly attempts: number;
  readonly grace: number;
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Called with each new connection before it is used. */
  readonly opened: (client: Client) => Promise<void>;
  /** Called when the server announces a changed list. */
  readonly listChanged: (what: ListKind) => void;
  /**
   * Lists whose changes are observed.
   * @default tools
   */
  readonly hears?: readonly ListKind[];
  /** Identity and capabilities of the client, if not our own. */
  readonly as?: { readonly info?: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /** Prepares each new client before it connects, for example with handlers. */
  readonly prepare?: (client: Client) => void;
}

/** Lists of a server. */
export type ListKind = 'tools' | 'prompts' | 'resources';

const firstWait = 200;
/** Time for the protocol probe: an older server may not respond, and one that must be downloaded first is slow. */
const probeTime = 10_000;
const remembered = 2000;

interface Open {
  readonly client: Client;
  readonly way: OpenedTransport;
  /** Number of current users. */
  users: number;
}

/** A connection to a server, opened on demand and reopened when lost. */
export class Connection {
  readonly #settings: McpSettings;
  readonly #options: ConnectionOptions;
  readonly #retired = new Set<Open>();
  #open: Open | undefined;
  #opening: Promise<Open> | undefined;
  /** Cancels the current connection attempt. */
  #hangUp: (() => Promise<void>) | undefined;
  #old = false;
  #complaints = '';
  #closed = false;

  constructor(settings: McpSettings, options: ConnectionOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** The connected client, if any. */
  get current(): Client | undefined {
    return this.#open?.client;
  }

  /** The last stderr output of the server's process. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  /** Runs a function with the client. Concurrent users share one connection attempt. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const open = await this.#get();
    open.users++;
    try {
      return await work(open.client);
    } finally {
      open.users--;
      if (open.users === 0 && this.#retired.delete(open)) await open.client.close().catch(() => {});
    }
  }

  /** Retires a connection: new users get another one, current ones keep it. */
  drop(client: Client): void {
    const open = this.#open;
    if (open?.client !== client) return;
    this.#open = undefined;
    if (open.users > 0) this.#retired.add(open);
    else void client.close().catch(() => {});
  }

  /** Disconnects, and ends the server's process. */
  async close(): Promise<void> {
    this.#closed = true;
    // Doesn't wait for a server that doesn't respond.
    await this.#hangUp?.();
    await this.#opening?.catch(() => {});
    const open = this.#open;
    this.#open = undefined;
    const left = open && Promise.race([open.way.leave().catch(() => {}), sleep(this.#options.grace)]);
    await left;
    await Promise.all([...this.#retired, ...(open ? [open] : [])].map(({ client }) => client.close().catch(() => {})));
    this.#retired.clear();
  }

  async #get(): Promise<Open> {
    if (this.#closed) throw new ToolmendError('closed', 'It was closed');
    if (this.#open) return this.#open;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<Open> {
    const until = performance.now() + this.#options.connectTimeout;
    for (let attempt = 1, wait = firstWait; ; attempt++, wait *= 2) {
      try {
        return await this.#dial(until);
      } catch (error) {
        if (this.#closed || attempt >= this.#options.attempts || performance.now() + wait >= until) throw error;
        await sleep(wait);
      }
    }
  }

  async #dial(until: number): Promise<Open> {
    try {
      return await this.#dialAs(until);
    } catch (error) {
      // Some older servers exit or fail when the protocol is probed.
      const odd = SdkError.isInstance(error) && error.code === SdkErrorCode.EraNegotiationFailed;
      if (this.#old || this.#closed || !odd) throw error;
      this.#old = true;
      return this.#dialAs(until).catch((again) => {
        this.#old = false;
        throw again;
      });
    }
  }

  async #dialAs(until: number): Promise<Open> {
    const timeout = Math.max(1, until - performance.now());
    const way = openTransport(this.#settings, { grace: this.#options.grace, onStderr: (text) => this.#hear(text) });
    const client = this.#newClient(timeout);
    this.#hangUp = async () => {
      await client.close().catch(() => {});
      await way.transport.close().catch(() => {});
    };
    try {
      await client.connect(way.transport, { timeout, ...(this.#old && { prior: { kind: 'legacy' } }) });
      await this.#options.opened(client);
    } catch (error) {
      await this.#hangUp();
      throw error;
    } finally {
      this.#hangUp = undefined;
    }
    if (this.#closed) {
      await client.close();
      throw new ToolmendError('closed', 'It was closed');
    }
    this.#old = client.getProtocolEra() === 'legacy';
    const open = { client, way, users: 0 };
    this.#open = open;
    client.onclose = () => {
      if (this.#open === open) this.#open = undefined;
    };
    // Without the subscription, changes are missed, so the next call must reconnect and list again.
    client.autoOpenedSubscription?.closed.then((why) => why !== 'local' && this.drop(client));
    return open;
  }

  #newClient(timeout: number): Client {
    const { listChanged, hears = ['tools'], as, prepare } = this.#options;
    const hear = (what: ListKind) => ({ autoRefresh: false, debounceMs: 0, onChanged: () => listChanged(what) });
    const client = new Client(
      // The protocol requires a version, but ours is in a file that bundlers omit.
      as?.info ?? { name: 'toolmend', version: '0' },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(timeout, probeTime) } },
        listChanged: Object.fromEntries(hears.map((what) => [what, hear(what)])),
        ...(as && { capabilities: as.capabilities }),
      },
    );
    // Some servers announce changes without declaring the capability.
    for (const what of hears)
      client.setNotificationHandler(`notifications/${what}/list_changed`, () => listChanged(what));
    prepare?.(client);
    return client;
  }

  #hear(text: string): void {
    this.#complaints = (this.#complaints + text).slice(-remembered);
    this.#options.onStderr?.(text);
  }
}

export interface RetryTask<T> {
  readonly signal?: AbortSignal | undefined;
  readonly work: (client: Client) => Promise<T>;
  /** Converts an error to a result. `phase` tells whether the request was sent. */
  readonly failed: (error: unknown, phase: 'connecting' | 'calling') => T;
}

/** Runs a task over a connection. Repeats it once if it certainly never reached the server. */
export async function withRetry<T>(connection: Connection, errand: RetryTask<T>, again = false): Promise<T> {
  const { signal, work, failed } = errand;
  let sent: { readonly client: Client; readonly hasSession: boolean } | undefined;
  try {
    return await connection.use((client) => {
      sent = { client, hasSession: client.transport?.sessionId !== undefined };
      return work(client);
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    if (!sent) return failed(error, 'connecting');
    if (deliveryOf(error, sent.hasSession) === 'unsent') {
      connection.drop(sent.client);
      if (!again) return withRetry(connection, errand, true);
    }
    return failed(error, 'calling');
  }
}
