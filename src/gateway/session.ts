import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClientCapabilities,
  ProtocolError,
  ProtocolErrorCode,
  type ServerCapabilities,
} from '@modelcontextprotocol/client';
import type { ListKind } from '../execute/mcp/connection.ts';
import { type AskReason, type PermissionDecision, type Permissions, permissions } from '../execute/permission-rules.ts';
import type { RunFact } from '../log/events.ts';
import { visible } from '../log/shown/visible.ts';
import { LastCalls } from '../mend/mend-call.ts';
import type { GatewayConfig } from './config/config.ts';
import type { Pins } from './config/pins.ts';
import { type ActiveCall, PendingRounds } from './handlers/active-call.ts';
import type { GatewayClient } from './host/types.ts';
import type { Message, RequestContext, Wire } from './rpc.ts';
import { type Named, otherNames } from './servers/exposed-names.ts';
import { type Listener, ServerLink } from './servers/server-link.ts';
import { type ExposedTool, type Offer, offer } from './servers/tool-list.ts';

/** A call that has ended. */
export interface GatewayCall {
  /** As sent by the client. */
  readonly call: { readonly id: string; readonly name: string; readonly arguments: unknown };
  readonly facts: readonly RunFact[];
  readonly begun: number;
  readonly client: { readonly name: string; readonly version: string } | undefined;
}

export interface SessionOptions {
  readonly config: GatewayConfig;
  readonly pins: Pins;
  readonly front: GatewayClient;
  /** Called after each call. */
  readonly record?: ((seen: GatewayCall) => void) | undefined;
  /** Called with messages for the operator. */
  readonly notice: (line: string) => void;
  /**
   * Time to wait for servers before responding without them, in milliseconds.
   * @default 10_000
   */
  readonly timeout?: number | undefined;
}

const mostOwners = 10_000;

/** A client with its own connections to all servers, so that requests of a server reach the right client. */
export class Session implements Listener {
  readonly options: SessionOptions;
  readonly servers: readonly ServerLink[];
  readonly permissions: Permissions;
  readonly rounds = new PendingRounds();
  /**
   * Calls that the client's user always allows. Not available in a shared session, where it would apply to all clients.
   */
  readonly always: Set<string> | undefined;
  /** The client's last calls, to recognize one that is repeated on purpose. Not available in a shared session. */
  readonly lastCalls: LastCalls | undefined;
  /** Calls that are running. */
  readonly underway = new Set<ActiveCall>();
  /** Minimum level of log messages, if the client set one for the session. */
  logLevel: unknown;
  /** The last listed prompts of all servers, by exposed name. */
  prompts: ReadonlyMap<string, { readonly behind: ServerLink; readonly own: string }> | undefined;
  readonly #failures = new Map<string, number>();
  readonly #owners = new Map<string, ServerLink>();
  /** The reported names. */
  readonly #renamed = new Set<string>();
  #offer: Offer;
  #listed = '[]';
  #opening: Promise<unknown> | undefined;
  #open = false;

  constructor(options: SessionOptions) {
    this.options = options;
    const { config, pins, front, notice } = options;
    const as = { info: front.info, capabilities: front.capabilities };
    this.servers = Object.entries(config.mcpServers)
      .filter(([, { disabled }]) => !disabled)
      .map(([name, server]) => new ServerLink(name, server, { pins, as, listener: this, notice }));
    this.always = front.isShared ? undefined : new Set();
    this.lastCalls = front.isShared ? undefined : new LastCalls();
    this.permissions = rules(config, (name) => this.#offer.outward.get(name));
    this.#offer = this.#newOffer();
  }

  /** All tools as exposed to the client. */
  get offer(): Offer {
    return this.#offer;
  }

  get capabilities(): ServerCapabilities {
    return capabilitiesOf(this.servers);
  }

  get instructions(): string | undefined {
    return instructionsOf(this.servers);
  }

  /** A sentence for each server that can't be reached, or hasn't started yet. */
  get troubles(): string[] {
    return this.servers.flatMap(({ name, trouble, capabilities }) => {
      if (trouble !== undefined)
        return `The tools of the server '${name}' are missing: it can't be reached: ${trouble}`;
      return capabilities === undefined ? `The tools of the server '${name}' are missing: it is still starting` : [];
    });
  }

  /** Connects to all servers in parallel. Slow ones are added later. */
  async open(): Promise<void> {
    this.#opening ??= Promise.all(this.servers.map((server) => server.connect()));
    const control = new AbortController();
    const patience = sleep(this.options.timeout ?? 10_000, undefined, { signal: control.signal }).catch(() => {});
    await Promise.race([this.#opening, patience]);
    control.abort();
    this.#open = true;
    // Names are only stored now, so that they don't depend on which server responds first.
    this.#offer = this.#newOffer();
  }

  async close(): Promise<void> {
    this.rounds.close();
    await Promise.all(this.servers.map((server) => server.close()));
  }

  /** The server of a resource, if one has listed it. */
  ownerOf = (uri: unknown): ServerLink | undefined => this.#owners.get(String(uri));

  /** Records the server of a resource, and returns whether it is this one. The first one counts. */
  own(uri: unknown, behind: ServerLink): boolean {
    if (typeof uri !== 'string') return true;
    const owner = this.#owners.get(uri);
    if (owner !== undefined) return owner === behind;
    this.#owners.set(uri, behind);
    const [oldest] = this.#owners.keys();
    if (this.#owners.size > mostOwners && oldest !== undefined) this.#owners.delete(oldest);
    return true;
  }

  /**
   * Counts a failed attempt and returns its number. Shared sessions don't count, because attempts may belong to
   * different clients.
   */
  failed(tool: string, { reachable }: RequestContext): number {
    if (!reachable) return 1;
    const tries = (this.#failures.get(tool) ?? 0) + 1;
    this.#failures.set(tool, tries);
    return tries;
  }

  succeeded(tool: string): void {
    this.#failures.delete(tool);
  }

  asked(behind: ServerLink, message: Message, signal: AbortSignal): Promise<Wire> {
    const call = this.#callAt(behind);
    const { capabilities } = call?.asked ?? this.options.front;
    if (!canDo(capabilities, message.method))
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `The client does not support ${message.method}`);
    if (call && !call.asked.reachable) return call.wants(message, signal);
    return this.options.front.ask(message, { signal, ...(call && { related: call.asked.id }) });
  }

  told(behind: ServerLink, message: Message): void {
    const call = message.method === 'notifications/message' ? this.#callAt(behind) : undefined;
    if (!call) this.options.front.tell(message);
    // Uses the call's own stream, because an HTTP client may have no other.
    else if (call.asked.reachable || call.asked.logLevel !== undefined) call.asked.tell(message);
  }

  changed(_: ServerLink, what: ListKind): void {
    if (what === 'tools') {
      this.#offer = this.#newOffer();
      const listed = JSON.stringify(this.#offer.listed);
      if (listed === this.#listed) return;
      this.#listed = listed;
    }
    if (what === 'prompts') this.prompts = undefined;
    if (this.#open) this.options.front.tell({ method: `notifications/${what}/list_changed` });
  }

  /** The call that a server's request belongs to. In a shared session that is only certain if one call is running. */
  #callAt(behind: ServerLink): ActiveCall | undefined {
    const calls = [...this.underway].filter((call) => call.behind === behind);
    const last = calls.at(-1);
    return last?.asked.reachable || calls.length === 1 ? last : undefined;
  }

  #newOffer(): Offer {
    const { config, pins } = this.options;
    const servers = Object.keys(config.mcpServers);
    const memory = pins.names('tools');
    const made = offer(this.servers, { policy: config.policy, namesOf: pins.namesOf, given: memory.given, servers });
    if (this.#open) this.keepNames('tools', made.outward);
    return made;
  }

  /** Stores exposed names, so that they stay the same, and reports those that differ from the server's own. */
  keepNames(kind: 'tools' | 'prompts', outward: ReadonlyMap<string, Named>): void {
    const all = [...outward].filter(([, { wanted }]) => wanted === undefined);
    const kept = all.filter(([, { accepted }]) => accepted !== false);
    this.options.pins.names(kind).keep(kept.map(([name, { server, own }]) => ({ server, own, name })));
    for (const [name, { server, own }] of all) {
      const line = `${server}: ${visible(own)} is exposed as ${visible(name)}, because another server has a similar name`;
      if (name === own || this.#renamed.has(line)) continue;
      this.#renamed.add(line);
      this.options.notice(line);
    }
  }
}

const needed: Readonly<Record<string, keyof ClientCapabilities>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

function canDo(capabilities: ClientCapabilities, method: string): boolean {
  const capability = needed[method];
  return capability === undefined || capabilities[capability] !== undefined;
}

const strictness: readonly PermissionDecision['type'][] = ['allow', 'ask', 'deny'];

/** The rules of a decision that require approval. */
const asking = (decision: PermissionDecision): readonly AskReason[] =>
  decision.type === 'ask' ? [{ rule: decision.rule, reason: decision.reason }, ...(decision.others ?? [])] : [];

/**
 * Combines the rules for exposed names with those of each server. The stricter decision applies. A rule that denies or
 * asks also matches the other names of a tool, because a second server can cause it to be exposed under another one.
 */
function rules(config: GatewayConfig, find: (name: string) => ExposedTool | undefined): Permissions {
  const { mode: _, allow: __, ...strict } = config.permissions ?? {};
  const [all, others] = [permissions(config.permissions), permissions(strict)];
  const own = new Map(
    Object.entries(config.mcpServers).map(([name, server]) => [name, permissions(server.permissions)]),
  );
  return {
    decide(call) {
      const outward = find(call.name);
      const general = all.decide(call);
      if (!outward) return general;
      const decisions = [general, ...otherNames(call.name, outward).map((name) => others.decide({ ...call, name }))];
      const special = own.get(outward.server)?.decide({ ...call, name: outward.own });
      if (special) decisions.push(special.type === 'ask' ? ofServer(special, outward.server) : special);
      return strictest(decisions);
    },
  };
}

const ofServer = (decision: PermissionDecision, server: string): PermissionDecision => {
  const [first, ...others] = asking(decision).map((one) => ({ ...one, rule: `${server}/${one.rule}` }));
  return first ? { type: 'ask', ...first, others } : decision;
};

/** The strictest of several decisions, with every rule that requires approval. */
function strictest(decisions: readonly PermissionDecision[]): PermissionDecision {
  const level = Math.max(...decisions.map(({ type }) => strictness.indexOf(type)));
  const decision = decisions.find(({ type }) => type === strictness[level]) as PermissionDecision;
  if (decision.type !== 'ask') return decision;
  const reasons = new Map(decisions.flatMap(asking).map((one) => [one.rule, one]));
  const [first, ...others] = reasons.values();
  return first ? { type: 'ask', ...first, ...(others.length > 0 && { others }) } : decision;
}

/** The assumed capabilities of a server that hasn't been reached. */
const anything: ServerCapabilities = {
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
};

/** The combined capabilities of all servers. Includes tools, because some may be added later. */
function capabilitiesOf(servers: readonly ServerLink[]): ServerCapabilities {
  const all = servers.map(({ capabilities }) => capabilities ?? anything);
  const has = (name: 'logging' | 'completions' | 'prompts' | 'resources'): boolean => all.some((one) => one[name]);
  const merged = (name: 'experimental' | 'extensions') => Object.assign({}, ...all.map((one) => one[name] ?? {}));
  const [experimental, extensions] = [merged('experimental'), merged('extensions')];
  return {
    tools: { listChanged: true },
    ...(has('logging') && { logging: {} }),
    ...(has('completions') && { completions: {} }),
    ...(has('prompts') && { prompts: { listChanged: true } }),
    ...(has('resources') && {
      resources: { listChanged: true, ...(all.some(({ resources }) => resources?.subscribe) && { subscribe: true }) },
    }),
    ...(Object.keys(experimental).length > 0 && { experimental }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  };
}

/** The instructions of all servers, with headings if there are several. */
function instructionsOf(servers: readonly ServerLink[]): string | undefined {
  const said = servers.filter(({ instructions }) => instructions);
  if (servers.length === 1) return said[0]?.instructions;
  return said.map(({ name, instructions }) => `# ${name}\n\n${instructions}`).join('\n\n') || undefined;
}
