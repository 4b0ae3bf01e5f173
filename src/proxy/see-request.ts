import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Asked } from './asked.ts';
import type { SeenRequest, SeenSoFar } from './seen-request.ts';

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

/** What became of it. */
export function endSeeing({ began, ...seen }: SeenSoFar, { statusCode, writableEnded }: ServerResponse): SeenRequest {
  return { ...seen, ms: performance.now() - began, status: statusCode, left: !writableEnded };
}
