import type { Model, TurnEvent } from '../../turn/turn.ts';
import { isHosted } from '../hosted.ts';
import type { Provider } from '../wire.ts';
import { abortable } from './abortable.ts';
import { answer } from './answer.ts';
import type { ClientOptions } from './client-options.ts';
import type { Fetch } from './fetch.ts';
import { httpFetch } from './http-fetch.ts';
import { defaultRetry } from './retry-delay.ts';
import type { Service } from './services.ts';
import { withTextFallback } from './text-fallback.ts';

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
