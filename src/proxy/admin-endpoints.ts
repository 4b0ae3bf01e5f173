import type { RunEvent } from '../log/events.ts';
import type { Store } from '../log/store.ts';
import type { Metrics } from './observe/metrics.ts';

/** What is sent of a page of the proxy's own. */
export type AdminResponse = readonly [status: number, type: string, text: string];

/** A page the proxy answers itself. */
export interface AdminEndpoint {
  /** It needs no token. */
  readonly open?: boolean;
  /** It shows what is kept of answers. */
  readonly kept?: boolean;
  readonly show: () => AdminResponse | Promise<AdminResponse>;
}

/** The page at a path, where there is one. */
export type AdminEndpoints = (method: string, path: string) => AdminEndpoint | undefined;

const runsAt = '/toolmend/runs';

/** The pages there are: how it is, the figures, and what is kept of answers. */
export function adminEndpoints({
  isClosing,
  metrics,
  store,
}: {
  readonly isClosing: () => boolean;
  readonly metrics?: Pick<Metrics, 'show'> | undefined;
  readonly store?: Store | undefined;
}): AdminEndpoints {
  return (method, path) => {
    const reads = method === 'GET' || method === 'HEAD';
    if (reads && path === '/healthz') return { open: true, show: () => health(isClosing()) };
    if (reads && metrics && path === '/metrics') return { show: () => metrics.show() };
    if (store && reads && path === runsAt) return { kept: true, show: async () => json(await store.runs()) };
    const run = path.startsWith(`${runsAt}/`) ? path.slice(runsAt.length + 1) : '';
    if (store && reads && run !== '') return { kept: true, show: () => events(store, run) };
    if (store && method === 'DELETE' && run !== '')
      return { kept: true, show: async () => removed(await store.remove(run)) };
    return undefined;
  };
}

const health = (closing: boolean): AdminResponse =>
  closing ? [503, 'text/plain', 'closing\n'] : [200, 'text/plain', 'ok\n'];

const json = (value: unknown, status = 200): AdminResponse => [
  status,
  'application/json',
  `${JSON.stringify(value)}\n`,
];
const removed = (_: unknown): AdminResponse => json({ removed: true });

async function events(store: Store, run: string): Promise<AdminResponse> {
  const all: RunEvent[] = [];
  for await (const event of store.read(run)) all.push(event);
  return all.length > 0 ? json(all) : json({ error: { message: 'There is no such run' } }, 404);
}
