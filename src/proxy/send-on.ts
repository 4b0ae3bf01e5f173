import type { IncomingMessage } from 'node:http';
import { endpoint } from '../provider/client/endpoint.ts';
import { askUpstream } from './ask-upstream.ts';
import type { Asked } from './asked.ts';
import type { Exchange } from './exchange.ts';
import { upstreamHeaders } from './upstream-headers.ts';

/** Sends a request on to its upstream; settles with the head of the answer. */
export function sendOn(exchange: Exchange, what: Asked, signal = exchange.left): Promise<IncomingMessage> {
  const { request, upstream, options } = exchange;
  const { connect, idle } = options.timeouts ?? {};
  const { method = 'GET' } = request;
  const crossed = what.type === 'turn' && what.turn.client !== what.turn.wire;
  const headers = upstreamHeaders(request.headers, upstream, { plain: what.type === 'turn', crossed });
  const hasBody = what.body.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const body = hasBody ? what.body : undefined;
  const url = endpoint(new URL(upstream.url), what.path);
  return askUpstream({ url, method, headers, body, signal, connect, idle });
}
