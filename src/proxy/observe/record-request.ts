import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CheckedCall } from '../../mend/mend-call.ts';
import { type CallReport, type ProxyOptions, type ResponseReport, upstreamName } from '../options.ts';
import type { TurnExchange } from '../request/exchange.ts';
import type { RequestProgress, RequestRecord } from './request-record.ts';

/** Begins to watch a request. */
export const beginRecord = (id: string, request: IncomingMessage): RequestProgress => ({
  ...{ id, request, at: Date.now(), began: performance.now(), own: 0, streamed: false, calls: [] },
});

/** Does a piece of work, and counts the time it took as ours. */
export function timed<T>(seen: RequestProgress, work: () => T): T {
  const began = performance.now();
  try {
    return work();
  } finally {
    seen.own += performance.now() - began;
  }
}

/** Tells whoever watches what became of it. One that throws must not cost a client its answer. */
export function reportRequest(
  seen: RequestProgress,
  response: ServerResponse,
  { onRequest, onError }: ProxyOptions,
): void {
  if (!onRequest) return;
  try {
    onRequest(seenRequest(seen, response));
  } catch (error) {
    onError?.(`A listener failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function seenRequest(
  { request, asked, began, ...seen }: RequestProgress,
  { statusCode: status, writableEnded }: ServerResponse,
): RequestRecord {
  const { method = 'GET', url = '/', headers } = request;
  return {
    ...{ ...seen, method, path: url.split('?')[0] ?? '', ms: performance.now() - began, status, left: !writableEnded },
    ...{ upstream: asked ? upstreamName(asked.upstream) : '', model: '', tools: [], losses: [] },
    ...(asked?.turn && seenTurn(asked.turn)),
    traceparent: String(headers.traceparent ?? '') || undefined,
  };
}

const seenTurn = ({
  model,
  client,
  wire,
  toolbox,
  losses,
  question,
}: NonNullable<NonNullable<RequestProgress['asked']>['turn']>) => ({
  ...{ model, losses, question, client: client.format, wire: wire.format },
  tools: [...toolbox].map(({ name }) => name),
});

/** What became of an answer's calls, without anything of what they hold. */
export function reportOf(
  exchange: TurnExchange,
  calls: readonly CheckedCall[],
  streamed: boolean,
  dialect?: string,
): ResponseReport {
  const { id, model, upstream, client, wire, losses } = exchange;
  return {
    ...{ id, model, upstream: upstreamName(upstream) },
    ...{ client: client.format, wire: wire.format, streamed, losses },
    ...(dialect !== undefined && { dialect }),
    calls: calls.map(callReport),
  };
}

/** What became of one call. */
export const callReport = ({ outcome, changed, retried }: CheckedCall): CallReport => ({
  ...(retried !== undefined && { retried }),
  ...{ name: outcome.name, status: outcome.status, changed },
  repairs: outcome.repairs.map(({ kind, certainty }) => `${kind} (${certainty})`),
  problems: outcome.problems.map(({ code, path }) => `${code} at ${path.join('.') || 'root'}`),
});

/** The report in a header's or a comment's few words. */
export function summaryOf(calls: readonly CheckedCall[]): string {
  const count = (wanted: string): number => calls.filter(({ outcome }) => outcome.status === wanted).length;
  return `ok=${count('ok')} mended=${count('mended')} invalid=${count('invalid')}`;
}
