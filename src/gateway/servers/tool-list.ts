import { toolFromServer } from '../../execute/mcp/catalogue.ts';
import { foldName } from '../../tools/name-index.ts';
import { type Policy, type Tool, tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import type { Wire } from '../rpc.ts';
import type { Offered, ServerLink } from './server-link.ts';

/** A tool under its exposed name. */
export interface ExposedTool {
  readonly behind: ServerLink;
  readonly server: string;
  readonly own: string;
  readonly wanted?: string | undefined;
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
}

/** Combines the tools of several servers under unique names. */
export function offer(behinds: readonly ServerLink[], { policy, namesOf }: OfferOptions): Offer {
  const outward = exposedNames(behinds.flatMap((behind) => outwardOf(behind, namesOf)));
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
    ...{ behind, server, own, wanted: wantedName(own, config), offered },
  });
  if (capabilities) return behind.offered.map((offered) => known(offered.own, offered));
  return namesOf(server).map((own) => known(own));
}

/** A tool without `execute`, because the gateway forwards its calls. */
function made(name: string, { offered, behind, server }: ExposedTool): Tool {
  const { trusted = false, timeout } = behind.config;
  if (offered?.good) return toolFromServer(offered.definition, { server, name, trusted, timeout });
  // Its schema isn't trusted. Running it reports why it can't be called.
  return tool({ name, description: `A tool of ${server} that can't be called now` });
}

/** A tool or prompt of a server. */
interface Named {
  readonly server: string;
  readonly own: string;
  /** Its name in the configuration, if set. */
  readonly wanted?: string | undefined;
}

/**
 * Assigns exposed names. Names that several servers share get the server's name as prefix. Configured names are used
 * unchanged. If two names are still equal, the first wins.
 */
export function exposedNames<T extends Named>(all: readonly T[]): Map<string, T> {
  const alike = new Map<string, Set<string>>();
  for (const one of all) {
    const folded = foldName(one.wanted ?? one.own);
    alike.set(folded, (alike.get(folded) ?? new Set()).add(one.server));
  }
  const names = new Map<string, T>();
  const taken = new Set<string>();
  // Configured names come first.
  for (const one of [...all].sort((a, b) => Number(b.wanted !== undefined) - Number(a.wanted !== undefined))) {
    const shared = (alike.get(foldName(one.own))?.size ?? 0) > 1;
    const name = one.wanted ?? (shared ? `${one.server}__${one.own}` : one.own);
    if (taken.has(foldName(name))) continue;
    taken.add(foldName(name));
    names.set(name, one);
  }
  return names;
}

/** Further names that rules may use for a tool: those it has without or with a conflict, and its identity. */
export function otherNames(exposed: string, { server, own, wanted }: Named): string[] {
  const names = new Set([wanted ?? own, `${server}__${own}`, `${server}/${own}`]);
  names.delete(exposed);
  return [...names];
}

/** The configured name of a tool or prompt. */
export function wantedName(
  own: string,
  { rename = {}, prefix }: { readonly rename?: Readonly<Record<string, string>>; readonly prefix?: string },
): string | undefined {
  if (Object.hasOwn(rename, own)) return rename[own];
  return prefix === undefined || prefix === '' ? undefined : `${prefix}${own}`;
}
