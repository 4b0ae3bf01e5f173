import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  type ClientCapabilities,
  type Implementation,
  SdkError,
  SdkErrorCode,
} from '@modelcontextprotocol/client';
import type { McpSettings } from './settings.ts';
import { type OpenedTransport, openTransport } from './transport.ts';

export interface ConnectionOptions {
  readonly connectTimeout: number;
  readonly attempts: number;
  readonly grace: number;
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Asked of every new connection before anybody uses it. */
  readonly opened: (client: Client) => Promise<void>;
  /** The server says that what it lists is something else now. */
  readonly listChanged: (what: ListKind) => void;
  /** The lists whose changes are heard of; tools unless it is said. */
  readonly hears?: readonly ListKind[];
  /** Who connects, where it is not ourselves, and what it can do for the server. */
  readonly as?: { readonly info?: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /** Sets each new client up before it connects: what it answers, and what it hears. */
  readonly prepare?: (client: Client) => void;
}

/** What servers list. */
export type ListKind = 'tools' | 'prompts' | 'resources';

const firstWait = 200;
/** A server of the old kind may stay silent when asked which kind it is, and one that is fetched first takes its time. */
const probeTime = 10_000;
const remembered = 2000;

interface Open {
  readonly client: Client;
  readonly way: OpenedTransport;
  /** How many use it now. */
  users: number;
}

/** One connection to a server at a time: made when it is asked for, made again when it was lost. */
export class Connection {
  readonly #settings: McpSettings;
  readonly #options: ConnectionOptions;
  readonly #retired = new Set<Open>();
  #open: Open | undefined;
  #opening: Promise<Open> | undefined;
  /** Ends the try to connect that is under way. */
  #hangUp: (() => Promise<void>) | undefined;
  #old = false;
  #complaints = '';
  #closed = false;

  constructor(settings: McpSettings, options: ConnectionOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /** The client in use, where there is one. */
  get current(): Client | undefined {
    return this.#open?.client;
  }

  /** The last of what the server's process wrote to its error output. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  /** Does something with the client. Those who come while it is being connected share one try. */
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

  /** Gives a connection up that no longer serves: the next user gets a new one, those under way keep theirs. */
  drop(client: Client): void {
    const open = this.#open;
    if (open?.client !== client) return;
    this.#open = undefined;
    if (open.users > 0) this.#retired.add(open);
    else void client.close().catch(() => {});
  }

  /** Leaves the server and ends its process. */
  async close(): Promise<void> {
    this.#closed = true;
    // A server that stays silent must not be waited for.
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
    if (this.#closed) throw new Error('It was closed');
    if (this.#open) return this.#open;
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #connect(): Promise<Open> {
    const until = Date.now() + this.#options.connectTimeout;
    for (let attempt = 1, wait = firstWait; ; attempt++, wait *= 2) {
      try {
        return await this.#dial(until);
      } catch (error) {
        if (this.#closed || attempt >= this.#options.attempts || Date.now() + wait >= until) throw error;
        await sleep(wait);
      }
    }
  }

  async #dial(until: number): Promise<Open> {
    try {
      return await this.#dialAs(until);
    } catch (error) {
      // Some servers of the old kind end themselves, or fail, when asked which kind they are.
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
    const timeout = Math.max(1, until - Date.now());
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
      throw new Error('It was closed');
    }
    this.#old = client.getProtocolEra() === 'legacy';
    const open = { client, way, users: 0 };
    this.#open = open;
    client.onclose = () => {
      if (this.#open === open) this.#open = undefined;
    };
    // Without it changes are no longer heard, and what the server became must be looked at before the next call.
    client.autoOpenedSubscription?.closed.then((why) => why !== 'local' && this.drop(client));
    return open;
  }

  #newClient(timeout: number): Client {
    const { listChanged, hears = ['tools'], as, prepare } = this.#options;
    const hear = (what: ListKind) => ({ autoRefresh: false, debounceMs: 0, onChanged: () => listChanged(what) });
    const client = new Client(
      // The protocol wants a version; ours stands in a file that bundlers leave behind.
      as?.info ?? { name: 'toolmend', version: '0' },
      {
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(timeout, probeTime) } },
        listChanged: Object.fromEntries(hears.map((what) => [what, hear(what)])),
        ...(as && { capabilities: as.capabilities }),
      },
    );
    // A server may announce changes without having said that it would.
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
