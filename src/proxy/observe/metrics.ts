import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestRecord } from './request-record.ts';

/** Metrics for Prometheus. */
export interface Metrics {
  see(seen: RequestRecord): void;
  /** All metrics in the Prometheus text format. */
  show(live?: LiveFigures): Promise<readonly [status: number, type: string, text: string]>;
}

/** Figures of a running proxy at the moment. */
export interface LiveFigures {
  /** Requests in progress. */
  readonly inFlight: number;
  /** The URLs of all upstreams, and whether they are used. */
  readonly urls: readonly { readonly upstream: string; readonly url: string; readonly up: boolean }[];
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
  const first = new Histogram({
    name: 'toolmend_first_token_seconds',
    help: 'Time to the first output of the model in a stream',
    labelNames: ['upstream'],
    buckets: waiting,
    registers,
  });
  const tokens = new Counter({
    name: 'toolmend_tokens_total',
    help: 'Tokens that upstreams reported',
    labelNames: ['upstream', 'model', 'direction'],
    registers,
  });
  const errors = new Counter({
    name: 'toolmend_errors_total',
    help: 'Requests that failed, by kind of error',
    labelNames: ['upstream', 'kind'],
    registers,
  });
  const retries = new Counter({
    name: 'toolmend_retries_total',
    help: 'Failed attempts after which a request was sent to the same upstream again',
    labelNames: ['upstream', 'reason'],
    registers,
  });
  const fallbacks = new Counter({
    name: 'toolmend_fallbacks_total',
    help: 'Failed attempts after which a request was sent to a fallback',
    labelNames: ['upstream', 'fallback', 'reason'],
    registers,
  });
  const keyRequests = new Counter({
    name: 'toolmend_key_requests_total',
    help: 'Requests by key of a client',
    labelNames: ['key', 'status'],
    registers,
  });
  const keyTokens = new Counter({
    name: 'toolmend_key_tokens_total',
    help: 'Tokens that upstreams reported, by key of a client',
    labelNames: ['key', 'direction'],
    registers,
  });
  const inFlight = new Gauge({ name: 'toolmend_requests_in_flight', help: 'Requests in progress', registers });
  const up = new Gauge({
    name: 'toolmend_upstream_up',
    help: 'Whether a URL of an upstream is used',
    labelNames: ['upstream', 'url'],
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
      if (seen.firstToken !== undefined) first.observe({ upstream }, seen.firstToken / 1000);
      if (seen.errorKind) errors.inc({ upstream, kind: seen.errorKind });
      const { input = 0, output = 0 } = seen.response?.usage ?? {};
      const model = seen.client ? modelName(seen.model) : '';
      if (seen.key !== undefined) {
        keyRequests.inc({ key: seen.key, status: String(status) });
        keyTokens.inc({ key: seen.key, direction: 'input' }, input);
        keyTokens.inc({ key: seen.key, direction: 'output' }, output);
      }
      if (input > 0) tokens.inc({ upstream, model, direction: 'input' }, input);
      if (output > 0) tokens.inc({ upstream, model, direction: 'output' }, output);
      const attempts = seen.attempts ?? [];
      for (const [at, { upstream: failed, status: code, kind }] of attempts.entries()) {
        const next = attempts[at + 1]?.upstream ?? upstream;
        const reason = String(code ?? kind);
        if (next === failed) retries.inc({ upstream: failed, reason });
        else fallbacks.inc({ upstream: failed, fallback: next, reason });
      }
      for (const { outcome } of seen.calls) {
        // The model made up the name of an unknown tool.
        const tool = outcome.tool ? toolName(outcome.name) : 'unknown';
        calls.inc({ outcome: outcome.status, tool, model });
        for (const { kind, certainty } of outcome.repairs) repairs.inc({ kind, certainty });
        for (const { code } of outcome.problems) problems.inc({ code });
      }
    },
    show: async (live) => {
      if (live) {
        inFlight.set(live.inFlight);
        up.reset();
        for (const { up: isUp, ...labels } of live.urls) up.set(labels, isUp ? 1 : 0);
      }
      return [200, registry.contentType, await registry.metrics()];
    },
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
