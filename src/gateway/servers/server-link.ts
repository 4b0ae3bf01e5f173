import {
  type Client,
  type ClientCapabilities,
  type Implementation,
  type McpSubscription,
  type ServerCapabilities,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { Catalogue, type Listed, toolFromServer } from '../../execute/mcp/catalogue.ts';
import { Connection, type ListKind } from '../../execute/mcp/connection.ts';
import { failureOf, toolRefusal } from '../../execute/mcp/failure.ts';
import { Relisting } from '../../execute/mcp/relisting.ts';
import { withRetry } from '../../execute/mcp/retry.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { visible } from '../../log/shown/visible.ts';
import type { McpTool } from '../../tools/tool-from-mcp.ts';
import type { ServerConfig } from '../config/config.ts';
import type { Pins } from '../config/pins.ts';
import type { RequestContext } from '../request-context.ts';
import type { Message, Wire } from '../rpc.ts';
import { type AskOptions, askServer, listAll, subscribeAt } from './forward.ts';

/** Receives the requests and notifications of an MCP server. */
export interface Listener {
  /** The server sends the client a request. */
  asked(behind: ServerLink, message: Message, signal: AbortSignal): Promise<Wire>;
  told(behind: ServerLink, message: Message): void;
  /** A list of the server has changed. */
  changed(behind: ServerLink, what: ListKind): void;
}

export interface ServerLinkOptions {
  readonly pins: Pins;
  /** The client that the connection is for. */
  readonly as: { readonly info?: Implementation | undefined; readonly capabilities: ClientCapabilities };
  readonly listener: Listener;
  /** Called with messages for the operator. */
  readonly notice: (line: string) => void;
}

/** A tool listed by a server, and whether it can be called. */
export interface Offered extends Listed {
  readonly own: string;
  readonly good: boolean;
}

/** The result of a call at its server. `visit` means that the user must open a URL first. */
export type CallReply =
  | { readonly result: Wire }
  | { readonly failure: object }
  | { readonly visit: UrlElicitationRequiredError };

const attempts = 3;
const grace = 1000;

/** A connection to an MCP server, which reconnects until it is closed. */
export class ServerLink {
  readonly name: string;
  readonly config: ServerConfig;
  /** Why the last connection attempt failed. */
  trouble: string | undefined;
  readonly #options: ServerLinkOptions;
  readonly #connection: Connection;
  readonly #catalogue: Catalogue;
  readonly #relisting: Relisting;
  #capabilities: ServerCapabilities | undefined;
  #instructions: string | undefined;
  #noticed = '';
  #closed = false;
  /** Subscriptions, with their stream in the newer protocol. */
  readonly #subscribed = new Map<string, McpSubscription | undefined>();

  constructor(name: string, config: ServerConfig, options: ServerLinkOptions) {
    this.name = name;
    this.config = config;
    this.#options = options;
    const { include, exclude, acceptNew = true, connectTimeout = 30_000, trusted = false } = config;
    const { pins, listener, as } = options;
    this.#catalogue = new Catalogue({
      ...{ prefix: '', include, exclude, acceptNew, pinned: pins.of(name) },
      make: ({ definition }) => toolFromServer(definition, { server: name, trusted }),
    });
    this.#relisting = new Relisting({
      timeout: connectTimeout,
      current: () => this.#connection.current,
      read: async (client, timeout) =>
        client.getServerCapabilities()?.tools ? ((await listAll(client, 'tools/list', 'tools', timeout)) as never) : [],
      taken: (definitions) => this.#take(definitions),
    });
    this.#connection = new Connection(
      { ...config, name },
      {
        ...{ connectTimeout, attempts, grace, as, hears: ['tools', 'prompts', 'resources'] },
        opened: (client) => this.#opened(client),
        listChanged: (what) => (what === 'tools' ? this.#relisting.announce() : listener.changed(this, what)),
        prepare: (client) => {
          client.fallbackRequestHandler = (request, { mcpReq }) => listener.asked(this, request, mcpReq.signal);
          client.fallbackNotificationHandler = async (notification) => listener.told(this, notification);
        },
      },
    );
  }

  /** Its capabilities; undefined until it has been reached. */
  get capabilities(): ServerCapabilities | undefined {
    return this.#capabilities;
  }

  get instructions(): string | undefined {
    return this.#instructions;
  }

  /** The tools it lists. */
  get offered(): Offered[] {
    return [...this.#catalogue.listed].map(([own, listed]) => ({
      ...{ ...listed, own, good: this.#catalogue.standing(own, listed.hash) === 'good' },
    }));
  }

  /** Tries to connect. `trouble` has the reason if it fails. */
  async connect(): Promise<void> {
    await this.#connection.use(async () => {}).catch((error: unknown) => this.#lost(error));
  }

  /** Lists its tools again, and reloads the accepted definitions. */
  async look(): Promise<void> {
    await this.#connection.use((client) => this.#relisting.list(client));
  }

  /** Accepts exactly this definition of a tool. */
  accept(own: string, hash: string): void {
    this.#catalogue.accept(own, hash);
  }

  /** Forwards a request. Throws if the server responds with an error. */
  request(message: Message, options: AskOptions = {}): Promise<Wire> {
    return withRetry<Wire>(this.#connection, {
      signal: options.signal ?? options.asked?.signal,
      work: (client) => askServer(client, message, options),
      failed: (error) => {
        this.#lost(error);
        throw error;
      },
    });
  }

  /** Calls a tool with this definition. Failures become a failed result. */
  call(
    { own, hash, definition }: Pick<Offered, 'own' | 'hash' | 'definition'>,
    input: unknown,
    options: AskOptions,
  ): Promise<CallReply> {
    return withRetry<CallReply>(this.#connection, {
      signal: options.signal,
      work: async (client) => {
        await this.#relisting.settle(client);
        const standing = this.#catalogue.standing(own, hash);
        if (standing !== 'good') return { failure: toolRefusal(own, standing) };
        options.signal?.throwIfAborted();
        const params = { name: own, arguments: (input ?? {}) as Wire };
        return { result: await askServer(client, { method: 'tools/call', params }, { ...options, definition }) };
      },
      failed: (error, phase) => {
        if (phase === 'connecting') this.#lost(error);
        if (UrlElicitationRequiredError.isInstance(error)) return { visit: error };
        return { failure: failureOf(error, this.name, phase) };
      },
    });
  }

  /** Sends it a notification, if connected. */
  async tell({ method, params }: Message): Promise<void> {
    await this.#connection.current?.notification({ method, params: { ...params } }).catch(() => {});
  }

  /** Subscribes to a resource. The subscription survives reconnects. */
  async subscribe(uri: string, asked: RequestContext): Promise<void> {
    await this.use(async (client) => this.#subscribed.set(uri, await subscribeAt(client, uri, { asked })));
  }

  async unsubscribe(uri: string, asked: RequestContext): Promise<void> {
    const heard = this.#subscribed.get(uri);
    this.#subscribed.delete(uri);
    if (heard) await heard.close();
    else await this.request({ method: 'resources/unsubscribe', params: { uri } }, { asked });
  }

  /** Uses the current connection. */
  use = <T>(work: (client: Client) => Promise<T>): Promise<T> => this.#connection.use(work);

  async close(): Promise<void> {
    this.#closed = true;
    this.#relisting.stop();
    await this.#connection.close();
  }

  async #opened(client: Client): Promise<void> {
    // Set before its tools are listed, because without capabilities the server counts as never reached.
    this.#capabilities = client.getServerCapabilities() ?? {};
    this.#instructions = client.getInstructions();
    await this.#relisting.list(client);
    for (const uri of this.#subscribed.keys())
      this.#subscribed.set(uri, await subscribeAt(client, uri, {}).catch(() => undefined));
    if (this.trouble !== undefined) this.#options.notice(`${this.name}: reconnected`);
    this.trouble = undefined;
  }

  #lost(error: unknown): void {
    if (this.#connection.current || this.#closed) return;
    const said = this.#connection.complaints;
    const why = visible(messageOf(error));
    if (this.trouble !== why) this.#options.notice(`${this.name}: ${why}${said && `. Its last output: ${said}`}`);
    this.trouble = why;
  }

  #take(definitions: readonly McpTool[]): void {
    this.#options.pins.refresh();
    this.#catalogue.take(definitions);
    const waiting = this.offered.filter(({ good }) => !good).map(({ own }) => `${visible(own)}: not accepted yet`);
    const refused = this.#catalogue.refused.map(
      ({ name, faults }) => `${visible(name)}: ${visible(String(faults[0]?.message))}`,
    );
    const notices = [...waiting, ...refused].map((line) => `${this.name}: ${line}`).join('\n');
    if (notices !== this.#noticed && notices !== '') this.#options.notice(notices);
    this.#noticed = notices;
    this.#options.listener.changed(this, 'tools');
  }
}
