import {
  type Client,
  type ClientCapabilities,
  type Implementation,
  type McpSubscription,
  type ServerCapabilities,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { Catalogue, type Listed, toolFromServer } from '../../execute/mcp/catalogue.ts';
import { Connection, type ListKind, withRetry } from '../../execute/mcp/connection.ts';
import { failureOf, toolRefusal } from '../../execute/mcp/failure.ts';
import { Relisting } from '../../execute/mcp/relisting.ts';
import { messageOf } from '../../execute/tool-result.ts';
import { isObject } from '../../json/value.ts';
import { visible } from '../../log/shown/visible.ts';
import type { McpTool } from '../../tools/tool-from-mcp.ts';
import type { ServerConfig } from '../config/config.ts';
import type { PinnedKind, Pins } from '../config/pins.ts';
import type { Message, RequestContext, Wire } from '../rpc.ts';
import { type AskOptions, askServer, listAll, subscribeAt } from './forward.ts';
import { type PinnedItem, PinnedItems } from './pinned-items.ts';

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

/** What a server lists or says besides its tools. */
type ItemKind = Exclude<PinnedKind, 'tools'>;

/** Something that a person must accept. */
export interface Waiting {
  readonly kind: PinnedKind;
  readonly name: string;
  readonly definition: unknown;
  readonly hash: string;
}

/** Further resources aren't pinned, because a server can list any number of them. */
const mostResources = 1000;
const listTime = 30_000;
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
  readonly #items: Readonly<Record<ItemKind, PinnedItems>>;
  readonly #reported = new Set<string>();
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
    const { include, exclude, acceptNew = false, connectTimeout = 30_000, trusted = false } = config;
    const { pins, listener, as } = options;
    const itemsOf = (kind: PinnedKind, takesNew: boolean, limit?: number): PinnedItems =>
      new PinnedItems({ pinned: pins.of(name, kind), acceptNew: takesNew, ...(limit !== undefined && { limit }) });
    this.#items = {
      prompts: itemsOf('prompts', acceptNew),
      instructions: itemsOf('instructions', acceptNew),
      // New resources are data. The texts of prompts are only known once a client has requested them.
      resources: itemsOf('resources', true, mostResources),
      texts: itemsOf('texts', true),
    };
    this.#catalogue = new Catalogue({
      prefix: '',
      include,
      exclude,
      acceptNew,
      pinned: pins.of(name),
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
        connectTimeout,
        attempts,
        grace,
        as,
        hears: ['tools', 'prompts', 'resources'],
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

  /** Its instructions, if they are accepted. */
  get instructions(): string | undefined {
    const text = this.#instructions;
    if (this.#capabilities === undefined) return undefined;
    return this.review('instructions', text ? [{ name: '', definition: text }] : [])[0]?.definition;
  }

  /** Its accepted prompts. */
  async prompts(): Promise<Wire[]> {
    if (!this.#capabilities?.prompts) return [];
    const prompts = await this.use((client) => listAll(client, 'prompts/list', 'prompts', listTime));
    const items = prompts.map((definition) => ({ name: String(definition.name), definition }));
    return this.review('prompts', items).map(({ definition }) => definition);
  }

  /** Returns the accepted items among those that the server lists now, and reports the others. */
  review<T extends PinnedItem>(kind: ItemKind, items: readonly T[]): T[] {
    this.#options.pins.refresh();
    const good = this.#items[kind].take(items);
    for (const { name, hash } of this.#items[kind].waiting) {
      if (this.#reported.has(`${kind} ${hash}`)) continue;
      this.#reported.add(`${kind} ${hash}`);
      this.#options.notice(`${visible(labelOf(this.name, kind, name))}: not accepted yet`);
    }
    return good;
  }

  /** Everything that isn't accepted, after listing it again. */
  async waiting(): Promise<Waiting[]> {
    const request = (method: string, params: Wire = {}): Promise<Wire> =>
      this.request({ method, params }).catch((): Wire => ({}));
    const list = (method: string, field: string): Promise<Wire[]> =>
      this.use((client) => listAll(client, method, field, listTime)).catch(() => []);
    void this.instructions;
    await this.prompts().catch(() => {});
    for (const name of this.#options.pins.of(this.name, 'texts').names) {
      const { messages, description } = await request('prompts/get', { name });
      if (messages !== undefined) this.review('texts', [{ name, definition: { messages, description } }]);
    }
    if (this.#capabilities?.resources) {
      this.review('resources', resourceItems(await list('resources/list', 'resources'), 'uri'));
      this.review(
        'resources',
        resourceItems(await list('resources/templates/list', 'resourceTemplates'), 'uriTemplate'),
      );
    }
    const tools = this.offered.filter(({ good }) => !good);
    return [
      ...tools.map(({ own, definition, hash }) => ({ kind: 'tools' as const, name: own, definition, hash })),
      ...itemKinds.flatMap((kind) => this.#items[kind].waiting.map((item) => ({ ...item, kind }))),
    ];
  }

  /** The tools it lists. */
  get offered(): Offered[] {
    return [...this.#catalogue.listed].map(([own, listed]) => ({
      ...listed,
      own,
      good: this.#catalogue.standing(own, listed.hash) === 'good',
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

  /** Accepts exactly this definition. */
  accept({ kind, ...item }: Waiting): void {
    if (kind === 'tools') this.#catalogue.accept(item.name, item.hash);
    else this.#items[kind].accept(item);
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

export const itemKinds = ['instructions', 'prompts', 'texts', 'resources'] as const;

/** How a person names something to accept: `files/search`, `files:prompts/review` or `files:instructions`. */
export function labelOf(server: string, kind: PinnedKind, name: string): string {
  if (kind === 'tools') return `${server}/${name}`;
  return name === '' ? `${server}:${kind}` : `${server}:${kind}/${name}`;
}

/** Resources to review, without the fields that change with their content. */
export const resourceItems = (resources: readonly Wire[], uri: string) =>
  resources.map((resource) => {
    const { size: _, annotations, ...definition } = resource;
    const { lastModified: __, ...hints } = isObject(annotations) ? annotations : {};
    return { name: String(resource[uri]), definition: { ...definition, annotations: hints }, resource };
  });
