import { hasCode, ToolmendError } from '../../json/toolmend-error.ts';
import type { TurnError, TurnEvent } from '../../model/index.ts';
import { failedTurn } from '../wire/errors.ts';
import type { Provider } from '../wire/types.ts';
import { displayUrl } from './endpoint.ts';
import { type Advice, networkError, refusal } from './errors.ts';
import type { Fetch } from './fetch.ts';
import { readResponseEvents } from './read-response.ts';

/** Timeouts in milliseconds; `Infinity` disables one. The total duration is not limited. */
export interface Timeouts {
  /**
   * Time to connect. Ignored with a custom `fetch`.
   * @default 10_000
   */
  readonly connect: number;
  /**
   * Time from the request to the first byte of the response.
   * @default 1_800_000
   */
  readonly firstByte: number;
  /**
   * Time between two bytes of the response.
   * @default 1_800_000
   */
  readonly idle: number;
}

/** A request that is ready to send. */
export interface PreparedRequest {
  readonly provider: Provider;
  readonly fetch: Fetch;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeouts: Timeouts;
  readonly about: Advice;
}

/** Sends a request once and yields its events; the last one is `turn.finished` or `turn.failed`. */
export async function* sendRequest(asking: PreparedRequest, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { provider, fetch, url, headers, body, timeouts, about } = asking;
  const stop = new AbortController();
  let late: TurnError | undefined;
  let began = false;
  const watch = new Watch((limit) => {
    late = tooLate(began, limit, displayUrl(url));
    stop.abort();
  });
  const broken = (thrown: unknown): TurnError => {
    if (signal.aborted) return aborted;
    if (hasCode(thrown, 'invalid_option')) return { kind: 'request', message: thrown.message, retryable: false };
    return late ?? networkError(thrown, displayUrl(url));
  };
  const leave = (): void => stop.abort();
  signal.addEventListener('abort', leave);
  try {
    if (signal.aborted) return yield failedTurn(aborted);
    watch.start(timeouts.firstByte);
    const response = await send(fetch, url, { headers, body, signal: stop.signal }).catch(broken);
    if ('kind' in response) return yield failedTurn(response);
    const bytes = response.body?.getReader();
    const next = async (): Promise<Uint8Array | undefined> => {
      if (began) watch.start(timeouts.idle);
      const { value } = (await bytes?.read()) ?? {};
      // After an abort, the end of the stream is not the end of the response.
      if (stop.signal.aborted) throw new ToolmendError('aborted', 'The request was aborted');
      watch.pause();
      began = true;
      return value;
    };
    if (!response.ok) {
      const text = await beginning(next).catch(() => '');
      return yield failedTurn(late ?? (signal.aborted ? aborted : refusal(provider, response, text, about)));
    }
    yield* readResponseEvents({ provider, status: response.status, next, broken });
    await settled(next);
  } catch (thrown) {
    yield failedTurn({ kind: 'protocol', message: `The response can't be read: ${thrown}`, retryable: false });
  } finally {
    watch.stop();
    signal.removeEventListener('abort', leave);
    stop.abort();
  }
}

export const aborted: TurnError = { kind: 'aborted', message: 'The turn was aborted', retryable: false };

const tooLate = (began: boolean, limit: number, where: string): TurnError => ({
  kind: 'timeout',
  message: began
    ? `${where} sent no data for ${limit} ms. Raise timeouts.idle if it may take longer.`
    : `${where} sent no response for ${limit} ms. Raise timeouts.firstByte if it may take longer.`,
  retryable: true,
  code: began ? 'idle_timeout' : 'first_byte_timeout',
});

/** Reads up to about 256 KB of an error response. */
async function beginning(next: () => Promise<Uint8Array | undefined>): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  for (let chunk = await next(); chunk && text.length < 256_000; chunk = await next())
    text += utf8.decode(chunk, { stream: true });
  return text;
}

/** Reads the remaining bytes for up to 50 ms, so that the connection can be reused. */
async function settled(next: () => Promise<Uint8Array | undefined>): Promise<void> {
  const end = (async () => {
    for (let left = 16; left > 0 && (await next()); left -= 1);
  })().catch(() => {});
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moment = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 50);
  });
  await Promise.race([end, moment]);
  clearTimeout(timer);
}

/** A redirect that the client doesn't follow. */
const redirected = (message: string): ToolmendError => new ToolmendError('invalid_option', message);

const redirects = [301, 302, 303, 307, 308];

/**
 * Posts a body. Follows redirects only within the same origin and only if they preserve method and body, because the
 * API key must not reach another server.
 */
async function send(
  fetch: Fetch,
  first: URL,
  request: { readonly headers: Record<string, string>; readonly body: string; readonly signal: AbortSignal },
): Promise<Response> {
  let url = first;
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(url.href, { method: 'POST', redirect: 'manual', ...request });
    const hidden = response.type === 'opaqueredirect';
    if (!hidden && !redirects.includes(response.status)) return response;
    await response.body?.cancel().catch(() => {});
    const to = hidden ? undefined : target(response, url);
    if (!to) throw redirected(`${displayUrl(url)} redirects without a location. Set baseURL to the final URL.`);
    const path = `${displayUrl(url)} redirects (${response.status}) to ${displayUrl(to)}`;
    if (to.origin !== url.origin)
      throw redirected(`${path}, another origin, where the key is not sent. If you trust it, set baseURL to it.`);
    if (response.status < 307) throw redirected(`${path}, which would drop the request body. Set baseURL to it.`);
    if (hops >= 5) throw redirected(`${path}, after ${hops} other redirects.`);
    url = to;
  }
}

function target(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** Calls back when a wait takes too long. All waits share one timer, because a stream waits once per chunk. */
class Watch {
  readonly #late: (limit: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the current wait times out; infinite while nothing is pending. */
  #deadline = Number.POSITIVE_INFINITY;
  #limit = 0;
  /** When the timer fires next. */
  #rings = 0;

  constructor(late: (limit: number) => void) {
    this.#late = late;
  }

  /** Starts a wait. */
  start(limit: number): void {
    this.#limit = limit;
    this.#deadline = performance.now() + limit;
    if (this.#timer === undefined || this.#rings > this.#deadline) this.#arm();
  }

  /** Ends the current wait. */
  pause(): void {
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  stop(): void {
    this.pause();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const left = this.#deadline - performance.now();
    if (!Number.isFinite(left)) return;
    this.#rings = this.#deadline;
    // `setTimeout` overflows above 2³¹ − 1 ms, so longer waits use several timers.
    this.#timer = setTimeout(() => this.#fire(), Math.min(Math.max(left, 0), 2 ** 31 - 1));
  }

  #fire(): void {
    this.#timer = undefined;
    if (performance.now() >= this.#deadline - 1) {
      this.pause();
      this.#late(this.#limit);
    } else this.#arm();
  }
}
