import type { ModelRequest, TurnError } from '../../model/index.ts';
import { type Fitted, fitRequest as fitTo } from '../compat/fit-request.ts';
import { withExplicitStrict } from '../wire/openai-responses/request.ts';
import type { Provider } from '../wire/types.ts';
import { displayUrl, endpoint } from './endpoint.ts';
import type { Fetch } from './fetch.ts';
import type { ClientOptions } from './options.ts';
import type { PreparedRequest, Timeouts } from './request.ts';
import type { RetryOptions } from './retry.ts';
import type { Service } from './services.ts';

/** A prepared request, and the function that restores the original names and shapes in the response's calls. */
interface Prepared {
  readonly asking: PreparedRequest;
  readonly undo: Fitted['undoEvent'];
}

/** The options of a client, with all defaults filled in. */
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

/** Builds the HTTP request. Returns an error if the request or the configuration is invalid. */
export function prepare(settings: Settings, question: ModelRequest): Prepared | TurnError {
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
    ...{ provider, fetch, url, timeouts },
    headers: {
      'content-type': 'application/json',
      accept: provider.framing === 'sse' ? 'text/event-stream, application/json' : 'application/x-ndjson',
      ...service.headers,
      ...(apiKey && service.keyHeader(apiKey)),
      ...options.headers,
    },
    body: JSON.stringify({ ...wire, ...options.body }),
    about: {
      ...{ model, variable, where: displayUrl(url), keyed: apiKey !== undefined },
      label: atHome ? service.label : displayUrl(base),
    },
  };
  return { asking, undo: undoEvent };
}

const wrong = (message: string): TurnError => ({ kind: 'request', message, retryable: false });
