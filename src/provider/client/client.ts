import type { Model, ModelRequest, TurnEvent, TurnFailed, TurnOptions, TurnResponse } from '../../model/index.ts';
import type { Fitted } from '../compat/fit-request.ts';
import { textModel } from '../text-model.ts';
import { failedTurn, takesNoTools } from '../wire/errors.ts';
import { eventsOf } from '../wire/turn-assembler.ts';
import type { Provider } from '../wire/types.ts';
import { rawCallText } from '../wire/unparsed-call.ts';
import { abortable, pause } from './abort.ts';
import { isHosted } from './endpoint.ts';
import { type Fetch, httpFetch } from './fetch.ts';
import type { ClientOptions } from './options.ts';
import { prepare, type Settings } from './prepare.ts';
import { redact } from './redact.ts';
import { aborted, sendRequest } from './request.ts';
import { rescueCall } from './rescue-call.ts';
import { defaultRetry, retryDelay } from './retry.ts';
import type { Service } from './services.ts';

/** Half an hour: a model may think that long before it says a word. */
const patience = 30 * 60_000;

/** Makes a model of a service and the wire it speaks. */
export function clientOf(service: Service, provider: Provider, options: ClientOptions): Model {
  const { model, headers = {} } = options;
  const timeouts = { connect: 10_000, firstByte: patience, idle: patience, ...options.timeouts };
  const named = options.apiKey ?? fromEnvironment(service.keyVariables);
  const apiKey = named === '' ? undefined : named?.trim();
  const settings = {
    service,
    provider,
    options,
    timeouts,
    retry: { ...defaultRetry, ...options.retry },
    base: baseOf(options.baseURL ?? fromEnvironment(service.baseVariables) ?? service.base),
    apiKey,
    secrets: [...(apiKey ? [apiKey] : []), ...secretsIn(headers)],
    fetch: options.fetch ?? httpFetch(timeouts.connect) ?? builtIn,
  };
  return withTextFallback({
    name: model,
    provider: service.provider,
    ...(isHosted(settings.base) && { hosted: true }),
    answer: (question, { signal } = {}): AsyncIterable<TurnEvent> =>
      abortable((own) => answer(settings, question, own), signal),
  });
}

const builtIn: Fetch = (url, request) => globalThis.fetch(url, request);

/** The first of these variables that is set; there are none in a browser. */
function fromEnvironment(variables: readonly string[]): string | undefined {
  const environment = globalThis.process?.env ?? {};
  return variables.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
}

/** The address as a URL. What is given is not shown in the error: it may hold a password. */
function baseOf(given: string): URL {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(text)) throw new TypeError('baseURL is no URL. Write it as https://host/path.');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseURL must begin with https:// or http://.');
  if (url.username || url.password)
    throw new TypeError('baseURL must not hold a user or a password. Pass them in `headers`.');
  return url;
}

/** The values of headers that hold secrets, and what stands behind a scheme (`Bearer …`). */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\w+\s+/, '')]);
}

/** Answers a question: asks, and asks again where that may help, but never once a part of an answer has come. */
async function* answer(settings: Settings, question: ModelRequest, signal: AbortSignal): AsyncGenerator<TurnEvent> {
  const { retry, options, secrets } = settings;
  const ready = prepare(settings, question);
  if ('kind' in ready) return yield failedTurn(ready);
  for (let tries = 0; ; tries += 1) {
    const failure = yield* untilOutput(sendRequest(ready.asking, signal), ready.undo, secrets);
    if (!failure) return;
    const saved = rescueCall(failure.error, question);
    if (saved) return yield* eventsOf(saved);
    const wait = retryDelay(failure.error, tries, retry);
    if (wait === undefined) return yield failure;
    options.onRetry?.({ error: failure.error, wait, attempt: tries + 1 });
    if (!(await pause(wait, signal))) return yield failedTurn(aborted);
  }
}

/** How many events are held back while nothing of the answer has come; a server that says more than that has begun. */
const mostHeld = 100;

/** Passes on what comes; a turn that fails before its first part is returned, so that it can be asked for again. */
async function* untilOutput(
  events: AsyncIterable<TurnEvent>,
  undo: Fitted['undoEvent'],
  secrets: readonly string[],
): AsyncGenerator<TurnEvent, TurnFailed | undefined> {
  let held: TurnEvent[] | undefined = [];
  for await (const came of events) {
    const said = undo(came);
    const event = said.type === 'turn.failed' ? { ...said, error: redact(said.error, secrets) } : said;
    if (held && event.type === 'turn.failed') return event;
    if (held && event.type === 'turn.finished' && rawCallText(event.response) !== undefined)
      return unread(event.response);
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

/** An answer that ended because the service could not read the model's call. */
const unread = (response: TurnResponse): TurnFailed => ({
  type: 'turn.failed',
  error: {
    kind: 'protocol',
    message: "The service could not read its model's call",
    retryable: true,
    ...(response.passthrough && { passthrough: response.passthrough }),
  },
  response: { ...response, finish: 'error' },
});

/**
 * The same model, asked without native calls where its server says that it takes none: its calls are then read from its
 * text, and the server is not tried again.
 */
function withTextFallback(model: Model): Model {
  const inText = textModel(model);
  let told = false;
  async function* answer(question: ModelRequest, options: TurnOptions): AsyncGenerator<TurnEvent> {
    if (!told) {
      for await (const event of model.answer(question, options)) {
        if (event.type === 'turn.failed' && takesNoTools(event.error)) told = true;
        else yield event;
      }
    }
    if (told) yield* inText.answer(question, options);
  }
  return {
    ...model,
    answer: (question, options = {}) =>
      question.tools?.length
        ? abortable((signal) => answer(question, { ...options, signal }), options.signal)
        : model.answer(question, options),
  };
}
