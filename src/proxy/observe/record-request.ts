import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CheckedCall } from '../../mend/mend-call.ts';
import { statusKind } from '../../provider/wire/errors.ts';
import { type CallReport, type ProxyOptions, type ResponseReport, upstreamName } from '../options.ts';
import type { TurnExchange } from '../request/exchange.ts';
import type { RequestProgress, RequestRecord } from './request-record.ts';

/** Starts the record of a request. */
export const beginRecord = (id: string, request: IncomingMessage, key?: string): RequestProgress => ({
  ...(key !== undefined && { key }),
  id,
  request,
  at: Date.now(),
  began: performance.now(),
  own: 0,
  streamed: false,
  calls: [],
  attempts: [],
});

/** Runs a function, and counts its time as our own work. */
export function timed<T>(seen: RequestProgress, work: () => T): T {
  const began = performance.now();
  try {
    return work();
  } finally {
    seen.own += performance.now() - began;
  }
}

/** Reports a request to the listeners. A listener that throws doesn't affect the response. */
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

/** The status of a request whose client disconnected, as other proxies log it. */
const disconnected = 499;

function seenRequest(
  { request, asked, began, size: _, unread: __, ...seen }: RequestProgress,
  { statusCode, writableEnded }: ServerResponse,
): RequestRecord {
  const left = seen.left === true || !writableEnded;
  const status = left ? disconnected : statusCode;
  const { method = 'GET', url = '/', headers } = request;
  const kind = left ? 'aborted' : (seen.errorKind ?? (status >= 400 ? statusKind(status).kind : undefined));
  return {
    ...seen,
    method,
    path: url.split('?')[0] ?? '',
    ms: performance.now() - began,
    status,
    left,
    upstream: asked ? upstreamName(asked.upstream) : '',
    model: '',
    tools: [],
    warnings: [],
    ...(asked?.turn && seenTurn(asked.turn)),
    ...(kind && { errorKind: kind }),
    traceparent: String(headers.traceparent ?? '') || undefined,
  };
}

const seenTurn = ({
  model,
  upstreamModel,
  client,
  wire,
  toolbox,
  warnings,
  question,
}: NonNullable<NonNullable<RequestProgress['asked']>['turn']>) => ({
  model,
  warnings,
  question,
  client: client.format,
  wire: wire.format,
  ...(upstreamModel !== model && { upstreamModel }),
  tools: [...toolbox].map(({ name }) => name),
});

/** Reports a response's calls, without content. */
export function reportOf(
  exchange: TurnExchange,
  calls: readonly CheckedCall[],
  streamed: boolean,
  dialect?: string,
): ResponseReport {
  const { id, model, upstream, client, wire, warnings } = exchange;
  return {
    id,
    model,
    upstream: upstreamName(upstream),
    client: client.format,
    wire: wire.format,
    streamed,
    warnings,
    ...(dialect !== undefined && { dialect }),
    calls: calls.map(callReport),
  };
}

/** Reports one call. */
export const callReport = ({ outcome, changed, retried }: CheckedCall): CallReport => ({
  ...(retried !== undefined && { retried }),
  name: outcome.name,
  status: outcome.status,
  changed,
  repairs: outcome.repairs.map(({ kind, certainty }) => `${kind} (${certainty})`),
  problems: outcome.problems.map(({ code, path }) => `${code} at ${path.join('.') || 'root'}`),
});

/** The report as a short text, for a header or a comment. */
export function summaryOf(calls: readonly CheckedCall[]): string {
  const count = (wanted: string): number => calls.filter(({ outcome }) => outcome.status === wanted).length;
  return `ok=${count('ok')} mended=${count('mended')} invalid=${count('invalid')}`;
}
