import type { IncomingMessage } from 'node:http';
import { textCache } from '../../json/text-cache.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import type { Upstream } from '../options.ts';
import type { Exchange } from '../request/exchange.ts';
import { upstreamHeaders } from '../request/headers.ts';
import type { RequestPlan } from '../request/plan-request.ts';
import { askUpstream } from './http.ts';

const places = textCache<URL>(1000);

/** Where a request goes, worked out once for each path; what stands behind it may hold a key, and is kept nowhere. */
function placeOf({ url }: Upstream, path: string): URL {
  const place = (): URL => endpoint(new URL(url), path);
  return path.includes('?') ? place() : places(`${url} ${path}`, place);
}

/** Sends a request on to its upstream; settles with the head of the answer. */
export function forward(exchange: Exchange, what: RequestPlan, signal = exchange.left): Promise<IncomingMessage> {
  const { request, upstream, options } = exchange;
  const { connect, idle } = options.timeouts ?? {};
  const { method = 'GET' } = request;
  const crossed = what.type === 'turn' && what.turn.client !== what.turn.wire;
  const headers = upstreamHeaders(request.headers, upstream, { plain: what.type === 'turn', crossed });
  const hasBody = what.body.length > 0 || method === 'POST' || method === 'PUT' || method === 'PATCH';
  const body = hasBody ? what.body : undefined;
  const url = placeOf(upstream, what.path);
  return askUpstream({ url, method, headers, body, signal, connect, idle });
}
