import { isObject, type JsonValue } from '../json/value.ts';
import { fit as fitTo } from '../provider/fit/fit.ts';
import { routeOf } from '../provider/route-of.ts';
import { Toolbox } from '../tool/toolbox.ts';
import type { Exchange, TurnExchange } from './exchange.ts';
import { pickUpstream } from './pick-upstream.ts';
import type { ProxyOptions, Upstream } from './proxy-options.ts';
import type { ToolboxOf } from './toolboxes.ts';
import { rootPath, wireOf } from './wire-of.ts';

/** What a request comes to: bytes to pass on, or a turn whose answer is to be mended. */
export type Asked =
  | { readonly type: 'pass'; readonly upstream: Upstream; readonly path: string; readonly body: Buffer }
  | {
      readonly type: 'turn';
      readonly turn: Omit<TurnExchange, keyof Exchange>;
      readonly upstream: Upstream;
      readonly path: string;
      readonly body: Buffer;
    };

const noTools = new Toolbox();

/**
 * Finds out what a request asks. In the wire of its upstream it goes on to the byte, and without tools nothing in the answer
 * can need mending; in another wire it is translated.
 */
export function asked(
  { method, url }: { readonly method: string; readonly url: string },
  body: Buffer,
  { upstreams }: ProxyOptions,
  toolboxOf: ToolboxOf,
): Asked {
  const route = method === 'POST' ? routeOf(new URL(url, 'http://proxy').pathname) : undefined;
  const value = route && parse(body);
  const model = route?.address.model ?? (isObject(value) && typeof value.model === 'string' ? value.model : '');
  const upstream = pickUpstream(upstreams, model);
  const passed = { upstream, path: url, body };
  if (!route || value === undefined) return { type: 'pass', ...passed };
  const { provider: client, address } = route;
  const wire = wireOf(upstream, client);
  const toolbox = toolboxOf(client, value) ?? noTools;
  const turn = { client, wire, toolbox, model, losses: [] };
  if (wire === client) return toolbox.size === 0 ? { type: 'pass', ...passed } : { type: 'turn', turn, ...passed };

  const question = client.readRequest(value, address);
  const { request, losses: fitted, undoEvent: undo } = fitTo(question, upstream.target ?? 'plain');
  const { wire: written, losses: lost } = wire.writeRequest(request);
  const losses = [...fitted, ...lost].map(({ where, what }) => `${where}: ${what}`);
  return {
    type: 'turn',
    turn: { ...turn, undo, losses },
    upstream,
    path: rootPath(wire, wire.pathOf(request)),
    body: Buffer.from(JSON.stringify(written)),
  };
}

/** What is no JSON is for the upstream to refuse. */
function parse(body: Buffer): JsonValue | undefined {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
