import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asked } from './asked.ts';
import type { ProxyOptions } from './proxy-options.ts';
import type { SeenSoFar } from './seen-request.ts';

/** Begins to watch a request. */
export function beginSeeing(id: string, { method = 'GET', url = '/', headers }: IncomingMessage): SeenSoFar {
  return {
    ...{ id, method, path: url.split('?')[0] ?? '', at: Date.now(), began: performance.now(), own: 0 },
    ...{ model: '', upstream: '', streamed: false, tools: [], calls: [], losses: [] },
    traceparent: String(headers.traceparent ?? '') || undefined,
  };
}

/** Notes what a request asks, and whom. */
export function seeAsked(seen: SeenSoFar, { type, upstream, ...asked }: Asked): void {
  seen.upstream = upstream.name ?? new URL(upstream.url).host;
  if (!('turn' in asked) || type !== 'turn') return;
  const { model, client, wire, toolbox, losses, question } = asked.turn;
  Object.assign(seen, { model, losses, question, client: client.format, wire: wire.format });
  seen.tools = [...toolbox].map(({ name }) => name);
}

/** Does a piece of work, and counts the time it took as ours. */
export function timed<T>(seen: SeenSoFar, work: () => T): T {
  const began = performance.now();
  try {
    return work();
  } finally {
    seen.own += performance.now() - began;
  }
}

/** Tells whoever watches what became of it. One that throws must not cost a client its answer. */
export function tellSeen({ began, ...seen }: SeenSoFar, response: ServerResponse, options: ProxyOptions): void {
  const { statusCode: status, writableEnded } = response;
  try {
    options.onRequest?.({ ...seen, ms: performance.now() - began, status, left: !writableEnded });
  } catch (error) {
    options.onError?.(`A listener failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}
