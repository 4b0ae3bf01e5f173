import type { TurnError, TurnEvent } from '../../model/index.ts';
import { failedTurn } from '../wire/errors.ts';
import type { Provider } from '../wire/types.ts';
import { displayUrl } from './endpoint.ts';
import { type Advice, networkError, refusal } from './errors.ts';
import type { Fetch } from './fetch.ts';
import { readResponseEvents } from './read-response.ts';

/** How long is waited, in milliseconds; `Infinity` for ever. There is no limit on the whole. */
export interface Timeouts {
  /** For a connection, where `fetch` is our own; 10 seconds unless it is said. */
  readonly connect: number;
  /** From the request to the first byte of the answer; 30 minutes unless it is said. */
  readonly firstByte: number;
  /** From one byte to the next; 30 minutes unless it is said. */
  readonly idle: number;
}

/** One request, ready to go. */
export interface PreparedRequest {
  readonly provider: Provider;
  readonly fetch: Fetch;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeouts: Timeouts;
  readonly about: Advice;
}

/** Asks once, and yields what comes, `turn.finished` or `turn.failed` last. */
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
    if (thrown instanceof RedirectError) return { kind: 'request', message: thrown.message, retryable: false };
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
      // A stream that ends because it was left has not ended.
      if (stop.signal.aborted) throw new Error('left');
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
    yield failedTurn({ kind: 'protocol', message: `The answer can't be read: ${thrown}`, retryable: false });
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
    ? `${where} sent nothing more for ${limit} ms. Raise timeouts.idle if it may take longer.`
    : `${where} sent no answer for ${limit} ms. Raise timeouts.firstByte if it may take longer.`,
  retryable: true,
  code: began ? 'idle_timeout' : 'first_byte_timeout',
});

/** As much of a body as an error's words may take. */
async function beginning(next: () => Promise<Uint8Array | undefined>): Promise<string> {
  const utf8 = new TextDecoder();
  let text = '';
  for (let chunk = await next(); chunk && text.length < 256_000; chunk = await next())
    text += utf8.decode(chunk, { stream: true });
  return text;
}

/** A moment for the last bytes behind an answer, so that the connection may serve the next one. */
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

/** The server sent us elsewhere, where we do not follow. */
class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

const redirects = [301, 302, 303, 307, 308];

/**
 * Posts a body. A redirect is followed where it stays at its origin and asks for the same request again; a key must not
 * follow it anywhere else.
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
    if (!to)
      throw new RedirectError(
        `${displayUrl(url)} redirects, and does not say where to. Set baseURL to where it leads.`,
      );
    const path = `${displayUrl(url)} redirects (${response.status}) to ${displayUrl(to)}`;
    if (to.origin !== url.origin)
      throw new RedirectError(
        `${path}, another origin, where the key is not sent. If you trust it, set baseURL to it.`,
      );
    if (response.status < 307) throw new RedirectError(`${path}, which would lose the request. Set baseURL to it.`);
    if (hops >= 5) throw new RedirectError(`${path}, after ${hops} other redirects.`);
    url = to;
  }
}

function target(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/**
 * Says when something has been waited for too long. One timer serves any number of waits, because a stream has one for
 * every piece.
 */
class Watch {
  readonly #late: (limit: number) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the wait that is on ends; infinite where nothing is waited for. */
  #deadline = Number.POSITIVE_INFINITY;
  #limit = 0;
  /** When the timer looks next. */
  #rings = 0;

  constructor(late: (limit: number) => void) {
    this.#late = late;
  }

  /** A wait begins. */
  start(limit: number): void {
    this.#limit = limit;
    this.#deadline = performance.now() + limit;
    if (this.#timer === undefined || this.#rings > this.#deadline) this.#arm();
  }

  /** What was waited for is there. */
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
    // Longer waits than a timer holds are taken in steps.
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
