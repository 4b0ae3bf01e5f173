import type { TurnError, TurnEvent } from '../../turn/turn.ts';
import { failedTurn } from '../failed-turn.ts';
import type { Provider } from '../wire.ts';
import { shown } from './endpoint.ts';
import type { Fetch } from './fetch.ts';
import { networkError } from './network-error.ts';
import { readAnswer } from './read-answer.ts';
import { type Advice, refusal } from './refusal.ts';
import { RedirectError, send } from './send.ts';
import { Watch } from './watch.ts';

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
export interface Asking {
  readonly provider: Provider;
  readonly fetch: Fetch;
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeouts: Timeouts;
  readonly about: Advice;
}

/** Asks once, and yields what comes, `turn.finished` or `turn.failed` last. */
export async function* ask(asking: Asking, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { provider, fetch, url, headers, body, timeouts, about } = asking;
  const stop = new AbortController();
  let late: TurnError | undefined;
  let began = false;
  const watch = new Watch((limit) => {
    late = tooLate(began, limit, shown(url));
    stop.abort();
  });
  const broken = (thrown: unknown): TurnError => {
    if (signal.aborted) return aborted;
    if (thrown instanceof RedirectError) return { kind: 'request', message: thrown.message, retryable: false };
    return late ?? networkError(thrown, shown(url));
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
    yield* readAnswer({ provider, status: response.status, next, broken });
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
