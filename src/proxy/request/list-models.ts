import type { IncomingMessage, ServerResponse } from 'node:http';
import { redactSecrets } from '../../json/redact-secrets.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Format, TurnError } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import { statusKind } from '../../provider/wire/errors.ts';
import { wires } from '../../provider/wire/route.ts';
import { type ProxyOptions, type Upstream, upstreamName } from '../options.ts';
import { fetchJson } from '../upstream/http.ts';
import { clientKeys, forwardPath, ownKeys, upstreamHeaders } from './headers.ts';
import { requestedFormat } from './requested-model.ts';
import { selectUpstream, upstreamModel } from './select-upstream.ts';

/** A request for the list of models, or for one of them. */
export interface ModelListing {
  readonly format: Format;
  /** The model, if it is for one. */
  readonly id?: string;
}

const paths = /^(?:\/v1(?:beta|alpha)?)?\/models\/?$|^\/api\/tags$/;
const onePath = /^(?:\/v1(?:beta|alpha)?)?\/models\/([^:]+(?::[^/]+)?)$/;

/**
 * Reads a request for models that no upstream can answer alone: there are several upstreams or other names, or the only
 * upstream has another API format. Undefined for all other requests.
 */
export function readListing(
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  upstreams: readonly Upstream[],
): ModelListing | undefined {
  const [path = ''] = url.split('?');
  if (method !== 'GET') return undefined;
  const named = onePath.exec(path)?.[1];
  const id = named === undefined ? undefined : decodeURIComponent(named);
  if (id === undefined && !paths.test(path)) return undefined;
  const format = requestedFormat({ url, headers });
  const isSpread = upstreams.length > 1 || upstreams.some(({ model }) => model !== undefined);
  const asked = id === undefined ? upstreams : [selectUpstream(upstreams, id)];
  const isForeign = asked.every((upstream) => listFormat(upstream, format) !== shapeOf(format));
  return isForeign || (isSpread && id === undefined) ? { format, ...(id !== undefined && { id }) } : undefined;
}

/**
 * Responds with the models of all upstreams that clients can use, in the client's API format. Returns the error, if there
 * is one.
 */
export async function sendModels(
  request: IncomingMessage,
  response: ServerResponse,
  { upstreams }: ProxyOptions,
  { format, id }: ModelListing,
): Promise<string | undefined> {
  const servers = [...new Map(upstreams.map((one) => [`${one.url} ${JSON.stringify(one.headers)}`, one])).values()];
  const lists = await Promise.all(servers.map((upstream) => modelsOf(request, upstream, format)));
  const all = reachable(upstreams, lists);
  const refused = lists.find(({ error }) => error)?.error;
  const { write, wrap } = shapes[shapeOf(format)];
  const one = id === undefined ? undefined : all.get(id);
  const error = all.size === 0 && refused ? refused : id !== undefined && !one ? unknown(id, all) : undefined;
  if (error) {
    response.writeHead(error.status ?? 502, { 'content-type': 'application/json' });
    response.end(JSON.stringify(wires[format].writeError(error)));
    return redactSecrets(clientKeys(request))(error.message);
  }
  const body = one ? write(one) : wrap([...all.values()].map((model) => written(model, format)));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  return undefined;
}

const unknown = (id: string, all: ReadonlyMap<string, unknown>): TurnError => ({
  ...statusKind(404),
  message: `Unknown model '${id}'. Use one of: ${[...all.keys()].slice(0, 20).join(', ')}`,
});

/** A model in the list of an upstream. */
interface ListedModel {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly created?: number;
  readonly owner?: string;
  readonly title?: string;
  readonly context?: number;
  /** How its upstream lists it, in the shape of an API format. */
  readonly entry?: JsonObject;
  readonly shape?: Shape;
}

/** The models of an upstream, or why they can't be listed. */
interface ServerModels {
  readonly upstream: Upstream;
  readonly models: readonly ListedModel[];
  readonly error?: TurnError;
}

/** The models that clients can request, by name: names without `*`, and the models that are sent to their own upstream. */
function reachable(upstreams: readonly Upstream[], lists: readonly ServerModels[]): Map<string, ListedModel> {
  const found = new Map<string, ListedModel>();
  const at = (url: string): readonly ListedModel[] => lists.find(({ upstream }) => upstream.url === url)?.models ?? [];
  for (const upstream of upstreams)
    for (const name of upstream.models ?? []) {
      if (name.includes('*') || selectUpstream(upstreams, name) !== upstream) continue;
      const real = at(upstream.url).find(({ id }) => id === upstreamModel(upstream, name));
      const { contextWindow: context = real?.context } = upstream;
      const same = real?.id === name ? real : { ...real, entry: undefined };
      found.set(name, { ...same, id: name, ...(context !== undefined && { context }) } as ListedModel);
    }
  for (const { upstream, models } of lists)
    for (const model of models) {
      const target = selectUpstream(upstreams, model.id);
      const isOwn = target.url === upstream.url && upstreamModel(target, model.id) === model.id;
      if (isOwn && !found.has(model.id)) found.set(model.id, model);
    }
  return found;
}

const patience = 5000;

async function modelsOf(request: IncomingMessage, upstream: Upstream, format: Format): Promise<ServerModels> {
  const shape = listFormat(upstream, format);
  const { path, read } = shapes[shape];
  const translatedTo = shape === shapeOf(format) ? undefined : shape;
  const headers = upstreamHeaders(request, upstream, { plain: true, translatedTo });
  for (const name of ['if-none-match', 'if-modified-since']) delete headers[name];
  const heard = await fetchJson(endpoint(new URL(upstream.url), forwardPath(path, upstream)), {
    headers,
    timeout: patience,
    secrets: ownKeys(upstream),
  });
  if (heard.type === 'silent') return { upstream, models: [], error: { ...statusKind(502), message: heard.why } };
  const { status, body } = heard;
  if (status === 200 && body) return { upstream, models: read(body) };
  const { message } = wires[shape].readError(status, body ?? '');
  const what = `${upstreamName(upstream)} responded with status ${status} to a request for its models: ${message}`;
  return { upstream, models: [], error: { ...statusKind(status < 400 ? 502 : status), message: what } };
}

/** API formats with a list of their own. */
type Shape = 'openai-chat' | 'anthropic' | 'gemini' | 'ollama';

const shapeOf = (format: Format): Shape => (format === 'openai-responses' ? 'openai-chat' : format);

/** The shape in which an upstream lists its models: the client's if possible. */
function listFormat({ formats = [] }: Upstream, wanted: Format): Shape {
  const own = formats.map(shapeOf);
  return own.includes(shapeOf(wanted)) ? shapeOf(wanted) : (own[0] ?? 'openai-chat');
}

/** How an API format lists models. */
interface ListShape {
  readonly path: string;
  readonly read: (body: JsonObject) => ListedModel[];
  readonly write: (model: ListedModel) => JsonObject;
  readonly wrap: (models: JsonObject[]) => JsonObject;
}

const written = (model: ListedModel, format: Format): JsonObject =>
  model.entry && model.shape === shapeOf(format) ? model.entry : shapes[shapeOf(format)].write(model);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const timeOf = (value: unknown): number | undefined => {
  const time = Date.parse(textOf(value) ?? '');
  return Number.isNaN(time) ? undefined : time;
};

/** Reads the entries of a list that have a name. */
function entries(list: JsonValue | undefined, shape: Shape, read: (entry: JsonObject) => ListFacts): ListedModel[] {
  return (Array.isArray(list) ? list : []).filter(isObject).flatMap((entry) => {
    const { id, ...facts } = read(entry);
    const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    return id === undefined ? [] : [{ id, ...known, entry, shape }];
  });
}

type ListFacts = { readonly [K in keyof Omit<ListedModel, 'entry' | 'shape'>]: ListedModel[K] | undefined };

const isoTime = (created = 0): string => new Date(created).toISOString().replace('.000Z', 'Z');

const shapes: Readonly<Record<Shape, ListShape>> = {
  'openai-chat': {
    path: '/v1/models',
    read: ({ data }) =>
      entries(
        data,
        'openai-chat',
        ({ id, created, owned_by: owner, max_model_len: length, context_length: context }) => ({
          id: textOf(id),
          owner: textOf(owner),
          context: numberOf(length) ?? numberOf(context),
          created: typeof created === 'number' ? created * 1000 : undefined,
        }),
      ),
    write: ({ id, created = 0, owner = 'toolmend', context }) => ({
      id,
      object: 'model',
      created: Math.floor(created / 1000),
      owned_by: owner,
      ...(context !== undefined && { context_length: context }),
    }),
    wrap: (data) => ({ object: 'list', data }),
  },
  anthropic: {
    path: '/v1/models?limit=1000',
    read: ({ data }) =>
      entries(data, 'anthropic', ({ id, display_name: title, created_at: at, max_input_tokens: context }) => ({
        id: textOf(id),
        title: textOf(title),
        created: timeOf(at),
        context: numberOf(context),
      })),
    write: ({ id, title = id, created }) => ({ type: 'model', id, display_name: title, created_at: isoTime(created) }),
    wrap: (data) => ({
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    }),
  },
  gemini: {
    path: '/v1beta/models?pageSize=1000',
    read: ({ models }) =>
      entries(models, 'gemini', ({ name, displayName, inputTokenLimit }) => ({
        id: textOf(name)?.replace(/^models\//, ''),
        title: textOf(displayName),
        context: numberOf(inputTokenLimit),
      })),
    write: ({ id, title = id, context }) => ({
      name: `models/${id}`,
      version: '001',
      displayName: title,
      ...(context !== undefined && { inputTokenLimit: context }),
      supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
    }),
    wrap: (models) => ({ models }),
  },
  ollama: {
    path: '/api/tags',
    read: ({ models }) =>
      entries(models, 'ollama', ({ name, model, modified_at: at }) => ({
        id: textOf(model) ?? textOf(name),
        created: timeOf(at),
      })),
    write: ({ id, created }) => ({
      name: id,
      model: id,
      modified_at: isoTime(created),
      size: 0,
      digest: '',
      details: { parent_model: '', format: '', family: '', families: null, parameter_size: '', quantization_level: '' },
    }),
    wrap: (models) => ({ models }),
  },
};
