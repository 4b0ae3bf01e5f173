import { fitsPattern } from '../../tools/resolve-policy.ts';
import { ConnectedClient } from '../host/connected-client.ts';
import { itemKinds, labelOf, type ServerLink } from '../servers/server-link.ts';
import { Session } from '../session.ts';
import type { GatewayConfig } from './config.ts';
import { Pins } from './pins.ts';

/** A definition that differs from the accepted one. */
export interface WaitingDefinition {
  readonly server: string;
  /** Its name on the server; empty for instructions. */
  readonly own: string;
  /** How to name it to accept it. */
  readonly label: string;
  readonly definition: unknown;
  /** The accepted definition, if there is one. */
  readonly before?: unknown;
  /** Whether it should be accepted, but the user hasn't been shown this definition yet. */
  readonly isUnseen: boolean;
}

/**
 * Lists the tools, prompts, resources and instructions of all servers, and accepts those that match a name: `server`,
 * `server/tool`, `server:prompts/name` or `server:instructions`, where `*` matches any text. Only a definition that was returned as waiting before is accepted, because a server can change it in the
 * meantime. Returns the accepted definitions and those still pending. `complete` is false if a server can't be reached or a
 * name matches no tool.
 */
export async function acceptTools(
  config: GatewayConfig,
  names: readonly string[],
  notice: (line: string) => void,
): Promise<{
  readonly accepted: readonly WaitingDefinition[];
  readonly waiting: readonly WaitingDefinition[];
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
    const fits = (name: string, server: string, label: string): boolean =>
      fitsPattern(server, name) || fitsPattern(label, name);
    const found = await Promise.all(session.servers.map(async (server) => ({ server, all: await waitingOf(server) })));
    // A tool that the gateway can't see may have the name, so only a complete list shows that no tool has it.
    const unknown = names.filter(
      (name) =>
        troubles.length === 0 &&
        !found.some(({ server, all }) =>
          [...all.map(({ label }) => label), ...knownLabels(server, pins)].some((label) =>
            fits(name, server.name, label),
          ),
        ),
    );
    for (const name of unknown)
      notice(`'${name}' matches no tool. Expected SERVER or SERVER/TOOL, for example files/search`);
    const accepted: WaitingDefinition[] = [];
    const waiting: WaitingDefinition[] = [];
    for (const { server, all } of found) {
      for (const { label, ...one } of all) {
        const pinned = pins.of(server.name, one.kind);
        const isNamed = names.some((name) => fits(name, server.name, label));
        const isShown = pinned.shownHash(one.name) === one.hash;
        const before = pinned.definitionOf(one.name);
        const { name: own, definition, hash } = one;
        if (isNamed && isShown) server.accept(one);
        else pinned.show(own, hash);
        const shown = { server: server.name, own, label, definition, before, isUnseen: isNamed && !isShown };
        (isNamed && isShown ? accepted : waiting).push(shown);
      }
    }
    return { accepted, waiting, complete: troubles.length + unknown.length === 0 };
  } finally {
    await session.close();
  }
}

const waitingOf = async (server: ServerLink) =>
  (await server.waiting()).map((one) => ({ ...one, label: labelOf(server.name, one.kind, one.name) }));

/** Everything that is listed or was accepted. */
const knownLabels = (server: ServerLink, pins: Pins): string[] => [
  ...server.offered.map(({ own }) => labelOf(server.name, 'tools', own)),
  ...itemKinds.flatMap((kind) => pins.of(server.name, kind).names.map((name) => labelOf(server.name, kind, name))),
];
