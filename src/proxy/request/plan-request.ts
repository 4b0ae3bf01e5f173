import { contextOf } from '../../dialect/echo/context.ts';
import { isObject } from '../../json/value.ts';
import type { Format, TurnRequest } from '../../model/index.ts';
import { isHosted } from '../../provider/client/endpoint.ts';
import { fitRequest as fitTo } from '../../provider/compat/fit-request.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { askInText } from '../../provider/text-calls/text-prompt.ts';
import { withExplicitStrict } from '../../provider/wire/openai-responses/strict-schemas.ts';
import { routeOf } from '../../provider/wire/route.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import type { ProxyOptions, Upstream } from '../options.ts';
import { jsonOf } from '../upstream/fetch-json.ts';
import type { TextModes } from '../upstream/text-mode.ts';
import { rootPath, wireOf } from '../upstream/wires.ts';
import type { Exchange, TurnExchange } from './exchange.ts';
import { repairHistory } from './repair-history.ts';
import { selectUpstream } from './select-upstream.ts';
import type { ToolboxOf } from './toolbox-cache.ts';

/** A request for an answer, ready to go. */
export interface TurnPlan {
  readonly type: 'turn';
  readonly turn: Omit<TurnExchange, keyof Exchange | 'learn' | 'sent' | 'again'>;
  readonly upstream: Upstream;
  readonly path: string;
  readonly body: Buffer;
}

/** What a request comes to: bytes to pass on, or a turn whose answer is to be mended. */
export type RequestPlan =
  | TurnPlan
  | { readonly type: 'pass'; readonly upstream: Upstream; readonly path: string; readonly body: Buffer };

const noTools = new Toolbox();

/** What a wire's own provider takes. Servers of the chat wire and of Ollama's are often local, and take less. */
const targets: Readonly<Record<Format, LoweringTarget>> = {
  'openai-chat': 'plain',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
  ollama: 'plain',
};

/**
 * Finds out what a request asks. In the wire of its upstream it goes on to the byte, but for bad calls in its history;
 * without tools the answer may still hold a call that was cut off. In another wire, or for a model without tools, it is
 * written anew.
 */
export function planRequest(
  { method, url }: { readonly method: string; readonly url: string },
  body: Buffer,
  { upstreams }: ProxyOptions,
  toolboxOf: ToolboxOf,
  modes: TextModes,
): RequestPlan {
  const route = method === 'POST' ? routeOf(url.split('?')[0] ?? '') : undefined;
  // What is no JSON is for the upstream to refuse.
  const value = route && jsonOf(body);
  const model = route?.address.model ?? (isObject(value) && typeof value.model === 'string' ? value.model : '');
  const upstream = selectUpstream(upstreams, model);
  if (!route || value === undefined) return { type: 'pass', upstream, path: url, body };
  const { provider: client, address } = route;
  const wire = wireOf(upstream, client);
  const toolbox = toolboxOf(client, value) ?? noTools;
  const { reads: dialect, asks } = toolbox.size > 0 ? modes.of(upstream, model) : {};
  let read: TurnRequest | undefined;
  const question = (): TurnRequest => {
    read ??= client.readRequest(value, address);
    return read;
  };
  const reads = dialect !== undefined && {
    ...{ dialect, context: () => contextOf(question().messages), taught: asks !== undefined },
    hosted: asks === undefined && isHosted(upstream.url),
  };
  const turn = { client, wire, toolbox, model, question, ...(asks && { asks }), ...(reads && { reads }) };
  if (wire === client && asks === undefined) {
    const { body: sound, changes } = repairHistory(client.format, value, body);
    return { type: 'turn', turn: { ...turn, losses: changes }, upstream, path: url, body: sound };
  }
  return written(
    { ...turn, losses: [] },
    asks === undefined ? question() : askInText(question(), asks).question,
    upstream,
  );
}

/** A request in the words of the upstream's wire. */
function written(turn: TurnPlan['turn'], question: TurnRequest, upstream: Upstream): TurnPlan {
  const { wire } = turn;
  const {
    request,
    losses: fitted,
    undoEvent: undo,
  } = fitTo(question, upstream.target ?? targets[wire.format], wire.format);
  const { wire: body, losses: lost } = wire.writeRequest(
    wire.format === 'openai-responses' ? withExplicitStrict(request) : request,
  );
  const losses = [...fitted, ...lost].map(({ where, what }) => `${where}: ${what}`);
  return {
    type: 'turn',
    turn: { ...turn, undo, losses },
    upstream,
    path: rootPath(wire, wire.pathOf(request)),
    body: Buffer.from(JSON.stringify(body)),
  };
}
