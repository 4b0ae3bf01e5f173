import { ToolmendError } from '../../json/toolmend-error.ts';
import { checkArgument } from '../../json/value.ts';
import type {
  Model,
  ModelRequest,
  TurnError,
  TurnEvent,
  TurnFailed,
  TurnOptions,
  TurnResponse,
} from '../../model/index.ts';
import { type Fitted, fitRequest as fitTo } from '../compat/fit-request.ts';
import { textModel } from '../text-model.ts';
import { failedTurn, takesNoTools } from '../wire/errors.ts';
import { withExplicitStrict } from '../wire/openai-responses/request.ts';
import { eventsOf } from '../wire/turn-assembler.ts';
import type { Provider } from '../wire/types.ts';
import { rawCallText } from '../wire/unparsed-call.ts';
import { abortable, pause } from './abort.ts';
import { displayUrl, endpoint, isHosted } from './endpoint.ts';
import { redact } from './errors.ts';
import { type Fetch, httpFetch } from './fetch.ts';
import type { ClientOptions } from './options.ts';
import { aborted, type PreparedRequest, sendRequest, type Timeouts } from './request.ts';
import { rescueCall } from './rescue-call.ts';
import { defaultRetry, type RetryOptions, retryDelay } from './retry.ts';
import type { Service } from './services.ts';

/** Half an hour, because a model may think that long before its first token. */
const patience = 30 * 60_000;

/** Creates a model from a service and an API format. */
export function clientOf(service: Service, provider: Provider, options: ClientOptions): Model {
  checkArgument(typeof options?.model === 'string', 'options', '{ model } with the name of a model', options);
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
    stream: (question, { signal } = {}): AsyncIterable<TurnEvent> =>
      abortable((own) => answer(settings, question, own), signal),
  });
}

const builtIn: Fetch = (url, request) => globalThis.fetch(url, request);

/** The first of these environment variables that is set. Browsers have none. */
function fromEnvironment(variables: readonly string[]): string | undefined {
  const environment = globalThis.process?.env ?? {};
  return variables.map((name) => environment[name]).find((value) => value !== undefined && value !== '');
}

/** Parses a base URL. Error messages don't show it, because it may contain a password. */
function baseOf(given: string): URL {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (!URL.canParse(text))
    throw new ToolmendError('invalid_option', 'Invalid baseURL: expected a URL such as https://host/path.');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol))
    throw new ToolmendError('invalid_option', `Invalid baseURL with ${url.protocol}//: expected https:// or http://.`);
  if (url.username || url.password)
    throw new ToolmendError(
      'invalid_option',
      'Invalid baseURL: it contains a user or a password. Pass them in `headers`.',
    );
  return url;
}

/** Values of headers that contain secrets, with and without their scheme (`Bearer …`). */
function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => /auth|key|token|secret|cookie|password/i.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\w+\s+/, '')]);
}

/**
 * Sends a request and yields its events. Retries on failure, but never after the first part of a response has arrived.
 */
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

/** Maximum number of buffered events before the first part. With more, the response counts as started. */
const mostHeld = 100;

/** Passes events on. Returns the failure of a turn that fails before its first part, so that it can be retried. */
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
    if (held && held.length < mostHeld && (event.type === 'turn.started' || event.type === 'provider.unknown')) {
      held.push(event);
      continue;
    }
    if (held) yield* held;
    held = undefined;
    yield event;
  }
  return undefined;
}

/** The failure for a response that ended because the service couldn't parse the model's call. */
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

/** Wraps a model to switch to text calls, permanently, once its server reports that it doesn't support tools. */
function withTextFallback(model: Model): Model {
  const inText = textModel(model);
  let told = false;
  async function* answer(question: ModelRequest, options: TurnOptions): AsyncGenerator<TurnEvent> {
    if (!told) {
      for await (const event of model.stream(question, options)) {
        if (event.type === 'turn.failed' && takesNoTools(event.error)) told = true;
        else yield event;
      }
    }
    if (told) yield* inText.stream(question, options);
  }
  return {
    ...model,
    stream: (question, options = {}) =>
      question.tools?.length
        ? abortable((signal) => answer(question, { ...options, signal }), options.signal)
        : model.stream(question, options),
  };
}

/** A prepared request, and the function that restores the original names and shapes in the response's calls. */
interface Prepared {
  readonly asking: PreparedRequest;
  readonly undo: Fitted['undoEvent'];
}

/** The options of a client, with all defaults filled in. */
interface Settings {
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

/** Builds the HTTP request. Returns an error if the request or the configuration is invalid. */
function prepare(settings: Settings, question: ModelRequest): Prepared | TurnError {
  const { service, provider, options, base, apiKey, fetch, timeouts } = settings;
  const variable = service.keyVariables[0] as string;
  const atHome = base.href.startsWith(service.base);
  if (!apiKey && service.needsKey && atHome)
    return wrong(`Missing API key for ${service.label}. Set ${variable}, or pass apiKey.`);
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey))
    return wrong(`The key in ${variable} or apiKey contains an invalid character, such as a line break or a space.`);
  const model = question.model ?? options.model;
  const target = options.target ?? (atHome ? service.target : service.elsewhere);
  const { tools, ...asked } = question;
  // Some servers reject an empty list of tools.
  const whole = { ...asked, ...(tools?.length && { tools }), model, stream: true };
  const { request: sound, warnings: fitted, undoEvent } = fitTo(whole, target, provider.format);
  const request = provider.format === 'openai-responses' ? withExplicitStrict(sound) : sound;
  const { wire, warnings } = provider.writeRequest(request);
  if (fitted.length + warnings.length > 0) options.onWarnings?.([...fitted, ...warnings]);
  const url = endpoint(base, provider.pathOf(request));
  const asking: PreparedRequest = {
    provider,
    fetch,
    url,
    timeouts,
    headers: {
      'content-type': 'application/json',
      accept: provider.framing === 'sse' ? 'text/event-stream, application/json' : 'application/x-ndjson',
      ...service.headers,
      ...(apiKey && service.keyHeader(apiKey)),
      ...options.headers,
    },
    body: JSON.stringify({ ...wire, ...options.body }),
    about: {
      model,
      variable,
      where: displayUrl(url),
      keyed: apiKey !== undefined,
      label: atHome ? service.label : displayUrl(base),
    },
  };
  return { asking, undo: undoEvent };
}

const wrong = (message: string): TurnError => ({ kind: 'request', message, retryable: false });
