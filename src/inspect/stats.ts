import { type RepairKind, repairKinds } from '../json/repair.ts';
import type { CallRow, CallStatus, Figures, Span, UsageStats } from './api.ts';
import type { TrackedRun } from './run-index.ts';

const mostSpans = 60;
const mostRows = 20;
const lengths = [1, 5, 15, 60, 300, 900, 3600, 6 * 3600, 86_400, 7 * 86_400].map((seconds) => seconds * 1000);

type Counted = 'ok' | 'mended' | 'invalid' | 'failed';

/** How a call is counted. Unfinished calls aren't. */
const countedAs: Readonly<Record<CallStatus, Counted | undefined>> = {
  ok: 'ok',
  mended: 'mended',
  invalid: 'invalid',
  failed: 'failed',
  denied: 'failed',
  unknown: 'failed',
  waiting: undefined,
  open: undefined,
};

const none = { ok: 0, mended: 0, invalid: 0, failed: 0 } as const;

/** Calculates the figures of the runs in a store. */
export function figuresOf(runs: readonly TrackedRun[]): Figures {
  const calls = runs.flatMap((run) => [...run.calls.values()].map((call) => ({ call, run })));
  const times = runs.map(({ row }) => row.startedAt);
  const from = times.reduce((a, b) => Math.min(a, b), times[0] ?? 0);
  const to = times.reduce((a, b) => Math.max(a, b), 0);
  const own = runs.flatMap(({ row }) => (row.own === undefined ? [] : [row.own])).sort((a, b) => a - b);
  return {
    from,
    to,
    runs: runs.length,
    calls: calls.length,
    spans: spansOf(calls, from, to),
    repairs: repairsOf(calls.map(({ call }) => call)),
    tools: fared(calls.map(({ call }) => [call.name || '(no name)', call])),
    models: fared(calls.map(({ call, run }) => [run.row.model || '(unknown)', call])),
    saved: calls.filter(({ call }) => call.status === 'mended').length,
    ...(own.length > 0 && {
      own: { median: at(own, 0.5), p95: at(own, 0.95), most: at(own, 1), requests: own.length },
    }),
  };
}

function spansOf(calls: readonly { call: CallRow; run: TrackedRun }[], from: number, to: number): Span[] {
  if (calls.length === 0) return [];
  const fits = (length: number): boolean => (to - from) / length < mostSpans - 1;
  const length = lengths.find(fits) ?? Math.ceil((to - from + 1) / (mostSpans - 1));
  const first = Math.floor(from / length) * length;
  const spans = Array.from({ length: Math.floor((to - first) / length) + 1 }, (_, index) => ({
    ...none,
    at: first + index * length,
  }));
  for (const { call, run } of calls) {
    const span = spans[Math.floor((run.row.startedAt - first) / length)];
    const kind = countedAs[call.status];
    if (span && kind) (span as Record<Counted, number>)[kind] += 1;
  }
  return spans;
}

function repairsOf(calls: readonly CallRow[]): Figures['repairs'] {
  const times = new Map<RepairKind, number>();
  for (const { repairs } of calls) for (const kind of repairs) times.set(kind, (times.get(kind) ?? 0) + 1);
  return [...times]
    .map(([kind, count]) => ({ kind, words: repairKinds[kind] ?? kind, times: count }))
    .sort((a, b) => b.times - a.times);
}

function fared(calls: readonly (readonly [name: string, call: CallRow])[]): UsageStats[] {
  const byName = new Map<string, { calls: number } & Record<Counted, number>>();
  for (const [name, { status }] of calls) {
    const counts = byName.get(name) ?? { calls: 0, ...none };
    const kind = countedAs[status];
    counts.calls += 1;
    if (kind) counts[kind] += 1;
    byName.set(name, counts);
  }
  return [...byName]
    .map(([name, counts]) => ({ name, ...counts }))
    .sort((a, b) => b.calls - a.calls)
    .slice(0, mostRows);
}

/** The percentile of sorted values. */
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
