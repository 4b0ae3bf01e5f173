import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasToken, isLoopback, loopbackNames, rejectRequest as refuseHost } from '../execute/local-server/guard.ts';
import { inspector } from '../inspect/inspector.ts';
import type { RunEvent } from '../log/events.ts';
import type { Store } from '../log/store.ts';
import type { TurnError } from '../model/index.ts';
import type { ListenOptions, RequestLimits } from './listen-options.ts';
import type { Metrics } from './observe/metrics.ts';
import { beginRecord, reportRequest } from './observe/record-request.ts';
import type { ProxyOptions } from './options.ts';
import { clientKeys, takeToken } from './request/headers.ts';
import { sendError } from './response/send-error.ts';

/** Answers a request; settles when the answer is out. */
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Stands before everything else: lets in who may ask, and only so much; shows the proxy's own pages. */
export function guard(options: ProxyOptions & ListenOptions, pages: AdminEndpoints, within: Handler): Handler {
  const { host = '127.0.0.1', hosts = [], token, limits = {}, store, inspect } = options;
  const names = new Set([...loopbackNames, host, ...hosts].map((name) => name.toLowerCase()));
  const admission: Admission = { token, hosts: isLoopback(host) ? names : undefined };
  const shown = token ?? inspect?.token;
  const watching = store && inspect ? inspector({ ...inspect, store, hosts: names, token: shown }) : undefined;
  const room = requestLimits(limits);

  return async (request, response) => {
    const { url = '/', method = 'GET' } = request;
    const page = pages(method, url.split('?')[0] ?? '');
    // The inspector's pages are asked for by a browser, and have a door of their own.
    if (url.startsWith('/inspector') && (await watching?.handle(request, response))) return;
    const wanted = page?.kept ? { ...admission, token: shown } : admission;
    const refusal = admit(request, admission) ?? (page?.open ? undefined : missesToken(request, wanted));
    if (refusal) return turnAway(request, response, refusal, options);
    if (page) {
      const [status, type, text] = await page.show();
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
      return;
    }
    const key = clientKeys(request).find((shown) => shown !== token) ?? request.socket.remoteAddress ?? '';
    const place = room(key);
    if ('wait' in place) return turnAway(request, response, tooMany(place.wait), options);
    takeToken(request, token);
    try {
      await within(request, response);
    } finally {
      place.done();
    }
  };
}

/** What is left of the request is not waited for. */
function turnAway(request: IncomingMessage, response: ServerResponse, error: TurnError, options: ProxyOptions): void {
  const seen = beginRecord('', request);
  request.resume();
  sendError(response, request.url ?? '/', error);
  reportRequest({ ...seen, error: error.message }, response, options);
}

const tooMany = (wait: number): TurnError => ({
  kind: 'rate_limit',
  message: 'Too many requests for this key',
  retryable: true,
  status: 429,
  retryAfter: wait,
});

/** Who may ask. */
interface Admission {
  readonly token?: string | undefined;
  /** Names a request may call this machine by; any where the proxy listens to other machines. */
  readonly hosts?: ReadonlySet<string> | undefined;
}

/** Says why a request is not let in; nothing where it is. */
function admit(request: IncomingMessage, { hosts }: Admission): TurnError | undefined {
  const refused = refuseHost(request, { whose: 'proxy', hosts });
  return refused && { kind: 'request', retryable: false, ...refused };
}

/** Says that the token is missing; nothing where it is shown, or none is wanted. */
function missesToken(request: IncomingMessage, { token }: Admission): TurnError | undefined {
  if (token === undefined || hasToken(clientKeys(request), token)) return undefined;
  const message =
    'This proxy requires a token. Send it as the API key of your client or in the x-toolmend-token header';
  return { kind: 'request', message, retryable: false, status: 401 };
}

/** Room for one more, and how to give it back; or how long to wait, in milliseconds. */
type Admitted = { readonly done: () => void } | { readonly wait: number };

interface Account {
  /** What is left for this minute, as of `at`: it fills up evenly. */
  left: number;
  at: number;
  open: number;
}

const minute = 60_000;
const mostAccounts = 10_000;
const defaultAtOnce = 2048;

/** Counts what each key asks. Keys that ask nothing are forgotten once there are many. */
function requestLimits(
  { perMinute = Number.POSITIVE_INFINITY, concurrency: atOnce = defaultAtOnce }: RequestLimits,
  now: () => number = Date.now,
): (key: string) => Admitted {
  const accounts = new Map<string, Account>();
  return (key) => {
    const at = now();
    const account = accounts.get(key) ?? { left: perMinute, at, open: 0 };
    // Put last again, so that the first are those that have not asked for longest.
    accounts.delete(key);
    accounts.set(key, account);
    forget(accounts);
    if (perMinute !== Number.POSITIVE_INFINITY) {
      account.left = Math.min(perMinute, account.left + ((at - account.at) * perMinute) / minute);
      account.at = at;
    }
    if (account.open >= atOnce) return { wait: 1000 };
    if (account.left < 1) return { wait: ((1 - account.left) * minute) / perMinute };
    account.left -= 1;
    account.open += 1;
    return {
      done: () => {
        account.open -= 1;
      },
    };
  };
}

function forget(accounts: Map<string, Account>): void {
  if (accounts.size <= mostAccounts) return;
  for (const [key, { open }] of accounts) {
    if (open > 0) continue;
    accounts.delete(key);
    return;
  }
}

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
