import { fitsPattern } from '../../tools/resolve-policy.ts';
import { ConnectedClient } from '../host/connected-client.ts';
import { Session } from '../session.ts';
import type { GatewayConfig } from './config.ts';
import { Pins } from './pins.ts';

/** A tool whose definition differs from the accepted one. */
export interface WaitingTool {
  readonly server: string;
  readonly own: string;
  readonly definition: unknown;
  readonly hash: string;
  /** The accepted definition, if there is one. */
  readonly before?: unknown;
  /** Whether it should be accepted, but the user hasn't been shown this definition yet. */
  readonly isUnseen: boolean;
}

/**
 * Lists the tools of all servers, and accepts those that match a name: `server` or `server/tool`, where `*` matches any
 * text. Only a definition that was returned as waiting before is accepted, because a server can change it in the
 * meantime. Returns the accepted tools and those still pending. `complete` is false if a server can't be reached or a
 * name matches no tool.
 */
export async function acceptTools(
  config: GatewayConfig,
  names: readonly string[],
  notice: (line: string) => void,
): Promise<{
  readonly accepted: readonly WaitingTool[];
  readonly waiting: readonly WaitingTool[];
  readonly complete: boolean;
}> {
  // Some servers list tools only for clients with certain capabilities.
  const front = new ConnectedClient({ capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } });
  const pins = new Pins(config.pins, notice);
  const session = new Session({ config, pins, front, notice: () => {}, timeout: 60_000 });
  try {
    await session.open();
    const { troubles } = session;
    for (const trouble of troubles) notice(trouble);
    const fits = (name: string, server: string, own: string): boolean =>
      fitsPattern(server, name) || fitsPattern(`${server}/${own}`, name);
    // A tool that the gateway can't see may have the name, so only a complete list shows that no tool has it.
    const unknown = names.filter(
      (name) =>
        troubles.length === 0 &&
        !session.servers.some((server) => server.offered.some(({ own }) => fits(name, server.name, own))),
    );
    for (const name of unknown)
      notice(`'${name}' matches no tool. Expected SERVER or SERVER/TOOL, for example files/search`);
    const accepted: WaitingTool[] = [];
    const waiting: WaitingTool[] = [];
    for (const server of session.servers) {
      const pinned = pins.of(server.name);
      for (const { own, good, definition, hash } of server.offered) {
        if (good) continue;
        const isNamed = names.some((name) => fits(name, server.name, own));
        const isShown = pinned.shownHash(own) === hash;
        const before = pinned.definitionOf(own);
        const tool = { server: server.name, own, definition, hash, before, isUnseen: isNamed && !isShown };
        if (isNamed && isShown) server.accept(own, hash);
        else pinned.show(own, hash);
        (isNamed && isShown ? accepted : waiting).push(tool);
      }
    }
    return { accepted, waiting, complete: troubles.length + unknown.length === 0 };
  } finally {
    await session.close();
  }
}
