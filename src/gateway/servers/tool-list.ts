import { toolFromServer } from '../../execute/mcp/catalogue.ts';
import { foldName } from '../../tools/name-index.ts';
import { type Policy, type Tool, tool } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import type { Wire } from '../rpc.ts';
import type { Offered, ServerLink } from './server-link.ts';

/** A tool under the name clients see. */
export interface ExposedTool {
  readonly behind: ServerLink;
  readonly server: string;
  readonly own: string;
  readonly wanted?: string | undefined;
  /** As its server lists it; undefined where that could not be asked yet. */
  readonly offered?: Offered | undefined;
}

/** All tools of a gateway as clients see them. */
export interface Offer {
  /** The definitions to list, as their servers wrote them but for the name. */
  readonly listed: readonly Wire[];
  /** What calls are looked up in: also what is not listed because it may not be called, so that calls hear why. */
  readonly toolbox: Toolbox;
  readonly outward: ReadonlyMap<string, ExposedTool>;
}

interface OfferOptions {
  readonly policy?: Policy | undefined;
  /** The names that were ever accepted of a server, for one that can't be asked. */
  readonly namesOf: (server: string) => readonly string[];
}

/** Puts the tools of several servers side by side, under names that can be told apart. */
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

/** A tool without `execute`: the gateway forwards its calls. */
function made(name: string, { offered, behind, server }: ExposedTool): Tool {
  const { trusted = false, timeout } = behind.config;
  if (offered?.good) return toolFromServer(offered.definition, { server, name, trusted, timeout });
  // Nothing is known of its arguments that could be trusted; the run says why it is not called.
  return tool({ name, description: `A tool of ${server} that can't be called now` });
}

/** Something a server offers under a name of its own. */
interface Named {
  readonly server: string;
  readonly own: string;
  /** What it is called by configuration, where anything was said. */
  readonly wanted?: string | undefined;
}

/**
 * The names clients see. Each keeps its own; where names of several servers are alike, those bear their server's name in
 * front. What a configuration says is taken as it is. Of two that are still alike the first counts.
 */
export function exposedNames<T extends Named>(all: readonly T[]): Map<string, T> {
  const alike = new Map<string, Set<string>>();
  for (const one of all) {
    const folded = foldName(one.wanted ?? one.own);
    alike.set(folded, (alike.get(folded) ?? new Set()).add(one.server));
  }
  const names = new Map<string, T>();
  const taken = new Set<string>();
  // What somebody chose goes first.
  for (const one of [...all].sort((a, b) => Number(b.wanted !== undefined) - Number(a.wanted !== undefined))) {
    const shared = (alike.get(foldName(one.own))?.size ?? 0) > 1;
    const name = one.wanted ?? (shared ? `${one.server}__${one.own}` : one.own);
    if (taken.has(foldName(name))) continue;
    taken.add(foldName(name));
    names.set(name, one);
  }
  return names;
}

/** What a configuration calls something of a server's. */
export function wantedName(
  own: string,
  { rename = {}, prefix }: { readonly rename?: Readonly<Record<string, string>>; readonly prefix?: string },
): string | undefined {
  if (Object.hasOwn(rename, own)) return rename[own];
  return prefix === undefined || prefix === '' ? undefined : `${prefix}${own}`;
}
