import type { CallRecord } from '../../log/call-record.ts';
import type { Colours } from '../colour.ts';

/** What came of a call, in the word that is shown for it. */
export type CallStatus = 'open' | 'ok' | 'mended' | 'failed' | 'refused' | 'denied' | 'sealed';

/** How each is drawn. */
export const statusStyles: Readonly<Record<CallStatus, { readonly sign: string; readonly tint: keyof Colours }>> = {
  open: { sign: '·', tint: 'dim' },
  ok: { sign: '✓', tint: 'green' },
  mended: { sign: '✓', tint: 'green' },
  failed: { sign: '✗', tint: 'red' },
  refused: { sign: '✗', tint: 'red' },
  denied: { sign: '⊘', tint: 'yellow' },
  sealed: { sign: '?', tint: 'yellow' },
};

/** What came of a call: `refused` never ran, `failed` did. */
export function callStatus({ state, repairs, key }: CallRecord): CallStatus {
  if (state === 'completed') return repairs.some(({ kind }) => kind !== 'text') ? 'mended' : 'ok';
  if (state === 'failed') return key === undefined ? 'refused' : 'failed';
  return state === 'denied' || state === 'sealed' ? state : 'open';
}

/** How many calls came to what: `5 calls, 2 mended, 1 refused`. */
export function countCalls(calls: Iterable<CallRecord>): string {
  const counts = new Map<CallStatus, number>();
  let all = 0;
  for (const call of calls) {
    const verdict = callStatus(call);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    all += 1;
  }
  const told = (['mended', 'refused', 'failed', 'denied', 'sealed', 'open'] as const).flatMap((verdict) => {
    const count = counts.get(verdict);
    return count ? [`${count} ${verdict}`] : [];
  });
  return [`${all} ${all === 1 ? 'call' : 'calls'}`, ...told].join(', ');
}
