import type { Question, TurnError, TurnEvent, TurnFailed, TurnRequest } from '../../turn/turn.ts';
import { failedTurn } from '../failed-turn.ts';
import type { Provider } from '../wire.ts';
import { type Asking, aborted, ask, type Timeouts } from './ask.ts';
import type { ClientOptions } from './client-options.ts';
import { endpoint, shown } from './endpoint.ts';
import type { Fetch } from './fetch.ts';
import { pause } from './pause.ts';
import { redact } from './redact.ts';
import { type RetryOptions, retryDelay } from './retry-delay.ts';
import type { Service } from './services.ts';

/** All a client was given, with what was left out filled in. */
export interface Settings {
  readonly service: Service;
  readonly provider: Provider;
  readonly options: ClientOptions;
  readonly timeouts: Timeouts;
  readonly retry: Required<RetryOptions>;
  readonly base: URL;
  readonly apiKey: string | undefined;
  readonly secrets: readonly string[];
  readonly fetch: Fetch;
}

/** Answers a question: asks, and asks again where that may help, but never once a part of an answer has come. */
export async function* answer(settings: Settings, question: Question, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { retry, options, secrets } = settings;
  const asking = prepared(settings, question);
  if ('kind' in asking) return yield failedTurn(asking);
  for (let tries = 0; ; tries += 1) {
    const failure = yield* untilOutput(ask(asking, signal), secrets);
    if (!failure) return;
    const wait = retryDelay(failure.error, tries, retry);
    if (wait === undefined) return yield failure;
    options.onRetry?.({ error: failure.error, wait, tries: tries + 1 });
    if (!(await pause(wait, signal))) return yield failedTurn(aborted);
  }
}

/** How many events are held back while nothing of the answer has come; a server that says more than that has begun. */
const mostHeld = 100;

/** Passes on what comes; a turn that fails before its first part is returned, so that it can be asked for again. */
async function* untilOutput(
  events: AsyncIterable<TurnEvent>,
  secrets: readonly string[],
): AsyncGenerator<TurnEvent, TurnFailed | undefined> {
  let held: TurnEvent[] | undefined = [];
  for await (const came of events) {
    const event = came.type === 'turn.failed' ? { ...came, error: redact(came.error, secrets) } : came;
    if (held && event.type === 'turn.failed') return event;
    if (held && held.length < mostHeld && (event.type === 'turn.started' || event.type === 'wire.unknown')) {
      held.push(event);
      continue;
    }
    if (held) yield* held;
    held = undefined;
    yield event;
  }
  return undefined;
}

/** The request, or why it can't be made. */
function prepared(settings: Settings, question: Question): Asking | TurnError {
  const { service, provider, options, base, apiKey, fetch, timeouts } = settings;
  const variable = service.keyVariables[0] as string;
  const label = base.href.startsWith(service.base) ? service.label : shown(base);
  if (!apiKey && service.needsKey && base.href.startsWith(service.base))
    return wrong(`There is no key for ${service.label}. Set ${variable}, or pass apiKey.`);
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey))
    return wrong(`The key in ${variable} or apiKey holds a character no key has, a line break or a space perhaps.`);
  const model = question.model ?? options.model;
  const request: TurnRequest = { ...question, model, stream: true };
  const { wire, losses } = provider.writeRequest(request);
  if (losses.length > 0) options.onLoss?.(losses);
  const url = endpoint(base, provider.pathOf(request));
  return {
    ...{ provider, fetch, url, timeouts },
    headers: {
      'content-type': 'application/json',
      accept: provider.framing === 'sse' ? 'text/event-stream, application/json' : 'application/x-ndjson',
      ...service.headers,
      ...(apiKey && service.keyHeader(apiKey)),
      ...options.headers,
    },
    body: JSON.stringify({ ...wire, ...options.body }),
    about: { label, model, where: shown(url), variable, keyed: apiKey !== undefined },
  };
}

const wrong = (message: string): TurnError => ({ kind: 'request', message, retryable: false });
