import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { cached } from '../../json/text-cache.ts';
import type { TurnError } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import { retryDelay } from '../../provider/client/retry.ts';
import { type FailoverOptions, type Upstream, upstreamName } from '../options.ts';
import { fetchJson } from './http.ts';

/** Where a request is sent, and what failed before. */
export interface Route {
  /** Position among the upstream and its fallbacks. */
  position: number;
  /** How often all URLs of this upstream were tried. */
  rounds: number;
  /** URLs that failed in this round. */
  readonly failed: Set<string>;
  /** Milliseconds that the client has waited for retries. */
  waited: number;
}

/** What is known about a URL that failed or requested a pause. */
interface UrlState {
  /** Failures in a row. */
  failures: number;
  /** Until when it isn't used; it is then probed if it was ejected. */
  until: number;
  /** How often it was ejected in a row. */
  ejections: number;
  probe?: Promise<void>;
}

const defaults: Required<FailoverOptions> = { attempts: 1, maxWait: 10_000, ejectAfter: 3, ejectFor: 30_000 };
const base = 500;
/** A URL is ejected for at most this many times `ejectFor`. */
const longestEjection = 10;

/** Statuses of servers that are down or overloaded. A 500 may be the fault of a single request. */
const outages: ReadonlySet<number> = new Set([502, 503, 504, 529]);
/** Statuses after which a request is sent again. 529 is Anthropic's for an overloaded server. */
const transient: ReadonlySet<number> = new Set([408, 429, 500, ...outages]);

/** Whether a response with this status is worth another attempt. */
export const isTransient = (status: number): boolean => transient.has(status);

/**
 * Chooses the URLs that requests are sent to. URLs that fail several times in a row are ejected: they aren't used until
 * a probe succeeds. If there is nothing else to use, they are used anyway.
 */
export class Failover {
  /** Only URLs that failed since their last success. */
  readonly states = new Map<string, UrlState>();
  readonly #options: Required<FailoverOptions>;
  readonly #tell: (message: string) => void;

  constructor(options: FailoverOptions = {}, tell: (message: string) => void = () => {}) {
    this.#options = { ...defaults, ...options };
    this.#tell = tell;
  }

  /** The upstream for a route: the first that isn't down, beginning with the current position. */
  choose(upstream: Upstream, route: Route): Upstream {
    const all = [upstream, ...(upstream.fallbacks ?? [])];
    const usable = all.findIndex((one, at) => at >= route.position && urlsOf(one).some((url) => this.#isUp(url, one)));
    if (usable >= 0) route.position = usable;
    return all[route.position] as Upstream;
  }

  /**
   * The URL for a request. Requests with the same key go to the same URL while it is up, so that its prompt cache hits.
   *
   * @param key identifies a conversation; undefined for any URL
   */
  pick(upstream: Upstream, { failed }: Route, key: string | undefined): string {
    const fresh = urlsOf(upstream).filter((url) => !failed.has(url));
    const up = fresh.filter((url) => this.#isUp(url, upstream));
    const soonest = [...fresh].sort((a, b) => this.#until(a) - this.#until(b)).slice(0, 1);
    const [first = upstream.url, ...others] = up.length > 0 ? up : soonest;
    const seed = key ?? String(Math.random());
    return others.reduce((best, url) => (weight(url, seed) > weight(best, seed) ? url : best), first);
  }

  /**
   * Finds out whether and where a request is sent again after it failed before the response started: to another URL, to
   * the same upstream after a pause, or to a fallback.
   *
   * @param upstream the first choice for the request
   * @returns false if the client receives the error
   */
  async next(route: Route, upstream: Upstream, url: string, error: TurnError, signal: AbortSignal): Promise<boolean> {
    const { attempts, maxWait } = this.#options;
    const all = [upstream, ...(upstream.fallbacks ?? [])];
    const current = all[route.position] as Upstream;
    route.failed.add(url);
    if (urlsOf(current).some((one) => !route.failed.has(one))) return true;
    const limits = { times: attempts - 1, base, longest: maxWait - route.waited };
    const wait = retryDelay({ ...error, retryable: true }, route.rounds, limits);
    if (wait !== undefined) {
      await sleep(wait, undefined, { signal });
      route.waited += wait;
      route.rounds += 1;
    } else {
      if (route.position + 1 >= all.length) return false;
      Object.assign(route, { position: route.position + 1, rounds: 0 });
    }
    route.failed.clear();
    return true;
  }

  /** Records a failure before the response started. */
  failed(upstream: Upstream, url: string, { status, kind, retryAfter }: TurnError, ownKey: boolean): void {
    const { ejectAfter, ejectFor } = this.#options;
    // A client's own limit doesn't apply to other clients.
    const isPause = status === 429 && retryAfter !== undefined && ownKey;
    if (!isPause && kind !== 'network' && !outages.has(status ?? 0)) return;
    const state = cached(this.states, url, () => ({ failures: 0, until: 0, ejections: 0 }));
    if (isPause) {
      state.until = Math.max(state.until, performance.now() + Math.min(retryAfter, ejectFor));
      return;
    }
    state.failures += 1;
    if (state.failures < ejectAfter || (state.ejections > 0 && performance.now() < state.until)) return;
    const pause = ejectFor * Math.min(longestEjection, 2 ** state.ejections);
    state.ejections += 1;
    state.until = performance.now() + pause;
    this.#tell(
      `${upstreamName(upstream)}: ${new URL(url).origin} failed ${state.failures} times in a row and is not used for ${pause / 1000} s`,
    );
  }

  /** Records that a URL responds. */
  succeeded(upstream: Upstream, url: string): void {
    const state = this.states.get(url);
    this.states.delete(url);
    if (state && state.ejections > 0) this.#tell(`${upstreamName(upstream)}: ${new URL(url).origin} responds again`);
  }

  /** The URLs of all upstreams, and whether they are used. Probes those whose pause is over. */
  figures(upstreams: readonly Upstream[]): UrlFigure[] {
    const all = upstreams.flatMap((one) => [one, ...(one.fallbacks ?? [])]);
    const rows = all.flatMap((one) =>
      urlsOf(one).map((url): [string, UrlFigure] => [
        `${upstreamName(one)} ${url}`,
        {
          upstream: upstreamName(one),
          url: new URL(url).origin,
          up: this.#isUp(url, one) && one.formats?.length !== 0,
        },
      ]),
    );
    return [...new Map(rows).values()];
  }

  #until(url: string): number {
    return this.states.get(url)?.until ?? 0;
  }

  #isUp(url: string, upstream: Upstream): boolean {
    const state = this.states.get(url);
    if (!state || state.until === 0) return true;
    if (performance.now() < state.until) return false;
    if (state.ejections > 0) state.probe ??= this.#probe(url, upstream, state);
    return state.ejections === 0;
  }

  /** Asks for a page that doesn't run a model. */
  async #probe(url: string, upstream: Upstream, state: UrlState): Promise<void> {
    const { formats = [], headers = {} } = upstream;
    const path = formats.includes('ollama') ? '/api/version' : '/v1/models';
    const heard = await fetchJson(endpoint(new URL(url), path), { headers, timeout: 5000 });
    delete state.probe;
    if (heard.type === 'answered' && !outages.has(heard.status)) this.succeeded(upstream, url);
    else this.failed(upstream, url, { kind: 'network', message: '', retryable: true }, false);
  }
}

/** A URL of an upstream. */
export interface UrlFigure {
  readonly upstream: string;
  readonly url: string;
  readonly up: boolean;
}

const urlsOf = ({ url, alternates = [] }: Upstream): readonly string[] => [url, ...alternates];

/** Rendezvous hashing: if a URL is ejected, only its own conversations move. */
const weight = (url: string, key: string): string => createHash('sha256').update(`${url}\n${key}`).digest('hex');
