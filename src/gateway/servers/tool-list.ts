import { toolFromServer } from '../../execute/mcp/catalogue.ts';
import { type Policy, type Tool, tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import type { Wire } from '../rpc.ts';
import { exposedNames, type StoredName, wantedName } from './exposed-names.ts';
import type { Offered, ServerLink } from './server-link.ts';

/** A tool under its exposed name. */
export interface ExposedTool {
  readonly behind: ServerLink;
  readonly server: string;
  readonly own: string;
  readonly wanted?: string | undefined;
  readonly accepted: boolean;
  /** As listed by its server; undefined until it has been reached. */
  readonly offered?: Offered | undefined;
}

/** All tools of a gateway, as exposed to clients. */
export interface Offer {
  /** The definitions to list, unchanged except for the name. */
  readonly listed: readonly Wire[];
  /** All tools, including those that can't be called, so that a call gets a reason. */
  readonly toolbox: Toolbox;
  readonly outward: ReadonlyMap<string, ExposedTool>;
}

interface OfferOptions {
  readonly policy?: Policy | undefined;
  /** Accepted names of a server, for one that can't be reached. */
  readonly namesOf: (server: string) => readonly string[];
  /** Names that tools were exposed under earlier. */
  readonly given: readonly StoredName[];
  /** All configured servers. */
  readonly servers: readonly string[];
}

/** Combines the tools of several servers under unique names. */
export function offer(behinds: readonly ServerLink[], { policy, namesOf, given, servers }: OfferOptions): Offer {
  const tools = behinds.flatMap((behind) => outwardOf(behind, namesOf));
  const outward = exposedNames(tools, { given, servers });
  const toolbox = new Toolbox([], { validate: false, ...(policy && { policy }) });
  const listed: Wire[] = [];
  for (const [name, one] of outward) {
    toolbox.add(made(name, one));
    if (one.offered?.good) listed.push({ ...one.offered.definition, name });
  }
  return { listed, toolbox, outward };
}

function outwardOf(behind: ServerLink, namesOf: OfferOptions['namesOf']): ExposedTool[] {
  const { name: server, config, capabilities } = behind;
  const known = (own: string, offered?: Offered): ExposedTool => ({
    behind,
    server,
    own,
    wanted: wantedName(own, config),
    offered,
    accepted: offered?.good !== false,
  });
  if (capabilities) return behind.offered.map((offered) => known(offered.own, offered));
  return namesOf(server).map((own) => known(own));
}

/** A tool without `execute`, because the gateway forwards its calls. */
function made(name: string, { offered, behind, server }: ExposedTool): Tool {
  const { trusted = false, timeout } = behind.config;
  if (offered?.good) return toolFromServer(offered.definition, { server, name, trusted, timeout });
  // Its schema isn't trusted. Running it reports why it can't be called.
  return tool({ name, server, description: `A tool of ${server} that can't be called now` });
}
