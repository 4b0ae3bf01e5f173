import { eventsOfRun, type Store } from '../log/store.ts';
import type { LiveFigures, Metrics } from './observe/metrics.ts';

/** Response of an own page. */
type AdminResponse = readonly [status: number, type: string, text: string];

/** A page that the proxy serves itself. */
interface AdminEndpoint {
  /** Whether it needs no token. */
  readonly open?: boolean;
  /** Whether it shows recorded responses. */
  readonly kept?: boolean;
  readonly show: () => AdminResponse | Promise<AdminResponse>;
}

/** The page at a path, if there is one. */
export type AdminEndpoints = (method: string, path: string) => AdminEndpoint | undefined;

const runsAt = '/toolmend/runs';

/** Matches the paths of all pages, so that other requests aren't looked up. */
export const ownPaths: RegExp = /^\/(?:healthz|readyz|metrics|toolmend\/)/;

/** The pages: health, metrics and recorded responses. */
export function adminEndpoints({
  isClosing,
  live,
  metrics,
  store,
}: {
  readonly isClosing: () => boolean;
  readonly live: () => LiveFigures;
  readonly metrics?: Pick<Metrics, 'show'> | undefined;
  readonly store?: Store | undefined;
}): AdminEndpoints {
  return (method, path) => {
    const reads = method === 'GET' || method === 'HEAD';
    if (reads && path === '/healthz') return { open: true, show: () => health(isClosing()) };
    if (reads && path === '/readyz') return { open: true, show: () => readiness(isClosing(), live()) };
    if (reads && metrics && path === '/metrics') return { show: () => metrics.show(live()) };
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

const readiness = (closing: boolean, { urls }: LiveFigures): AdminResponse => {
  if (closing) return health(closing);
  // The names of servers are only shown with a token.
  return urls.some(({ up }) => up) ? [200, 'text/plain', 'ready\n'] : [503, 'text/plain', 'no upstream is available\n'];
};

const json = (value: unknown, status = 200): AdminResponse => [
  status,
  'application/json',
  `${JSON.stringify(value)}\n`,
];
const removed = (_: unknown): AdminResponse => json({ removed: true });

async function events(store: Store, run: string): Promise<AdminResponse> {
  const all = await eventsOfRun(store, run);
  return all.length > 0 ? json(all) : json({ error: { message: 'Unknown run' } }, 404);
}
