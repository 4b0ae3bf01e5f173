import { Counter, Histogram, Registry } from 'prom-client';
import type { RequestRecord } from './request-record.ts';

/** Metrics for Prometheus. */
export interface Metrics {
  see(seen: RequestRecord): void;
  /** All metrics in the Prometheus text format. */
  show(): Promise<readonly [status: number, type: string, text: string]>;
}

/** Maximum number of names. Others are counted together, so that made-up names can't fill the memory. */
const most = { model: 100, tool: 300 } as const;
const seconds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const waiting = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Creates the metrics of a proxy. */
export function metrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'toolmend_requests_total',
    help: 'Requests by response status',
    labelNames: ['upstream', 'status'],
    registers,
  });
  const calls = new Counter({
    name: 'toolmend_calls_total',
    help: 'Tool calls in responses by outcome',
    labelNames: ['outcome', 'tool', 'model'],
    registers,
  });
  const repairs = new Counter({
    name: 'toolmend_repairs_total',
    help: 'Repairs by kind and certainty',
    labelNames: ['kind', 'certainty'],
    registers,
  });
  const problems = new Counter({
    name: 'toolmend_problems_total',
    help: 'Problems of calls that could not be mended',
    labelNames: ['code'],
    registers,
  });
  const added = new Histogram({
    name: 'toolmend_added_seconds',
    help: 'Time that the proxy added to a request',
    buckets: seconds,
    registers,
  });
  const whole = new Histogram({
    name: 'toolmend_request_seconds',
    help: 'Total time of a request',
    labelNames: ['upstream'],
    buckets: waiting,
    registers,
  });
  const modelName = capped(most.model);
  const toolName = capped(most.tool);

  return {
    see(seen) {
      const { upstream, own, ms, left, status } = seen;
      requests.inc({ upstream, status: left ? 'left' : String(status) });
      added.observe(own / 1000);
      whole.observe({ upstream }, ms / 1000);
      for (const { outcome } of seen.calls) {
        // The model made up the name of an unknown tool.
        const tool = outcome.tool ? toolName(outcome.name) : 'unknown';
        calls.inc({ outcome: outcome.status, tool, model: modelName(seen.model) });
        for (const { kind, certainty } of outcome.repairs) repairs.inc({ kind, certainty });
        for (const { code } of outcome.problems) problems.inc({ code });
      }
    },
    show: async () => [200, registry.contentType, await registry.metrics()],
  };
}

function capped(limit: number): (name: string) => string {
  const seen = new Set<string>();
  return (name) => {
    if (seen.has(name)) return name;
    if (seen.size >= limit) return 'other';
    seen.add(name);
    return name;
  };
}
