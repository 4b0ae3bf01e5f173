import type { CheckedCall } from '../../mend/mend-call.ts';
import type { CallReport, ResponseReport } from '../options.ts';
import type { TurnExchange } from '../request/exchange.ts';
import { upstreamName } from '../request/select-upstream.ts';

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
