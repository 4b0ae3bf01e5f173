import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunWorker, WorkerEvent } from '../../run/workers/dispatch.ts';

/** Counts what a worker does, and serves it with its health. */
export interface HealthServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Counters of a worker's events. */
export class WorkerCounts {
  readonly #counts = new Map<string, number>();
  active = 0;

  count(event: WorkerEvent): void {
    if (event.type === 'idle') return;
    this.active += event.type === 'taken' ? 1 : -1;
    const key = event.type === 'ended' ? `event="ended",end="${event.end}"` : `event="${event.type}"`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The counters in the text format of Prometheus. */
  text(isReady: boolean): string {
    const events = [...this.#counts].sort().map(([labels, times]) => `toolmend_worker_runs_total{${labels}} ${times}`);
    return [
      '# HELP toolmend_worker_runs_total Runs that this worker has taken, and what became of them.',
      '# TYPE toolmend_worker_runs_total counter',
      ...events,
      '# HELP toolmend_worker_active_runs Runs that this worker executes now.',
      '# TYPE toolmend_worker_active_runs gauge',
      `toolmend_worker_active_runs ${this.active}`,
      '# HELP toolmend_worker_ready Whether this worker reaches the queue and takes runs.',
      '# TYPE toolmend_worker_ready gauge',
      `toolmend_worker_ready ${isReady ? 1 : 0}`,
      '',
    ].join('\n');
  }
}

/** Serves `/healthz`, `/readyz` and `/metrics` of a worker. */
export async function startHealthServer(
  worker: Pick<RunWorker, 'isReady'>,
  counts: WorkerCounts,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<HealthServer> {
  const server = createServer((request, response) => {
    // A path such as `//` is not a URL.
    const pathname = URL.parse(request.url ?? '/', 'http://worker')?.pathname;
    const isReady = worker.isReady();
    const send = (status: number, text: string): unknown =>
      response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
    if (request.method !== 'GET' && request.method !== 'HEAD') send(405, 'Only GET and HEAD are allowed here\n');
    else if (pathname === undefined) send(400, 'Invalid path\n');
    else if (pathname === '/healthz') send(200, 'ok\n');
    else if (pathname === '/readyz') send(isReady ? 200 : 503, isReady ? 'ready\n' : 'not taking runs\n');
    else if (pathname === '/metrics') send(200, counts.text(isReady));
    else send(404, 'Not found\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
