import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { contextOf } from '../../dialect/echo/context.ts';
import { cached, type TextCache, textCache } from '../../json/text-cache.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { makeId } from '../../mend/make-id.ts';
import { setForeign } from '../../mend/mend-call.ts';
import type { Format, TurnRequest } from '../../model/index.ts';
import { isHosted } from '../../provider/client/endpoint.ts';
import { fitRequest as fitTo } from '../../provider/compat/fit-request.ts';
import type { LoweringTarget } from '../../provider/compat/lowering-target.ts';
import { askInText } from '../../provider/text-calls/text-prompt.ts';
import { portableClient } from '../../provider/translation/portable-client.ts';
import { hasSpecialTools, portableRequest } from '../../provider/translation/portable-request.ts';
import { WireError } from '../../provider/wire/errors.ts';
import { withExplicitStrict } from '../../provider/wire/openai-responses/request.ts';
import { retrievalOf, rootPath, routeOf, wires } from '../../provider/wire/route.ts';
import type { Provider, Warning } from '../../provider/wire/types.ts';
import { toolFromSpec } from '../../tools/tool.ts';
import { Toolbox } from '../../tools/toolbox.ts';
import { summarizeWarnings } from '../observe/summarize-warnings.ts';
import type { ProxyOptions, Upstream } from '../options.ts';
import { exactJson, exactJsonOf } from '../upstream/http.ts';
import type { TextModes } from '../upstream/text-mode.ts';
import { adaptBody, adaptRequest, limitedBy, translationDefaults } from './adapt-request.ts';
import { readTokenCount, type TokenCount } from './count-tokens.ts';
import { editBody, editBytes } from './edit-body.ts';
import type { Exchange, TurnExchange } from './exchange.ts';
import { repairHistory } from './repair-history.ts';
import {
  type RequestBody,
  refuseTwoModels,
  renameIn,
  renameModel,
  renamePath,
  requestedFormat,
  requestedModel,
} from './requested-model.ts';
import { selectUpstream, upstreamModel } from './select-upstream.ts';

/** A turn that is ready to send. */
export interface TurnPlan {
  readonly type: 'turn';
  readonly turn: Omit<TurnExchange, keyof Exchange | 'learn' | 'sent' | 'again'>;
  readonly upstream: Upstream;
  readonly path: string;
  readonly body: Buffer;
}

/** How to handle a request: forward its bytes, or run a turn whose response is mended. */
export type RequestPlan = TurnPlan | PassPlan;

/** A request whose bytes are forwarded. */
interface PassPlan {
  readonly type: 'pass';
  readonly upstream: Upstream;
  readonly path: string;
  readonly body: Buffer | Readable;
  /** By how many bytes it is longer than what the client sends. */
  readonly longer?: number;
  /** What the proxy responds if the upstream doesn't count tokens. */
  readonly count?: TokenCount | undefined;
}

/** What plans depend on. */
interface PlanContext extends Pick<ProxyOptions, 'upstreams'> {
  readonly toolboxOf: ToolboxOf;
  readonly modes: TextModes;
  /** Chooses between an upstream and its fallbacks. */
  readonly choose: (upstream: Upstream) => Upstream;
}

const noTools = new Toolbox();

/** Methods of requests for a turn. Some servers also accept the others. */
const withTurn: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const byteOrderMark = Buffer.from('\uFEFF');

/** API formats with kinds of tools that no other format has. */
const portables: ReadonlySet<Format> = new Set(['openai-responses', 'openai-chat', 'anthropic']);

/** Tools that were read before. */
const asRead: Pick<Provider, 'format' | 'readTools'> = { format: 'openai-chat', readTools: (tools) => tools as never };

/** Whether an upstream of the Responses API probably lacks the kinds of tools in a request, which few servers have. */
const lacksTools = (upstream: Upstream, { format }: Provider, body: Buffer): boolean =>
  format === 'openai-responses' && !isHosted(upstream.url) && hasSpecialTools(body.toString('utf8'));

/** Default targets by API format. Servers with the Chat or Ollama API are often local and support less. */
const targets: Readonly<Record<Format, LoweringTarget>> = {
  'openai-chat': 'plain',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
  ollama: 'plain',
};

/**
 * Plans a request. If the upstream has the client's API format, the body is forwarded byte by byte, except for bad
 * calls in the history. A request without tools is also planned as a turn, because the response may contain a truncated
 * call. For another API format, or a model without tool support, the request is rewritten.
 */
export function planRequest(
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  received: RequestBody,
  { upstreams, toolboxOf, modes, choose }: PlanContext,
): RequestPlan {
  const { head, stream } = received;
  const [path = ''] = url.split('?');
  const route = method !== undefined && withTurn.has(method) ? routeOf(path) : undefined;
  const body = route && head.indexOf(byteOrderMark) === 0 ? head.subarray(byteOrderMark.length) : head;
  const value = route && exactJsonOf(body);
  // Servers accept more than JSON, but the response to a request that can't be read can't be mended.
  if (route && !stream && value === undefined) throw new WireError('', "isn't valid JSON in UTF-8");
  if (!stream && choosesByModel(upstreams)) refuseTwoModels(body);
  if (!route || value === undefined || stream) {
    const count = route || stream || method !== 'POST' ? undefined : readTokenCount(path, body);
    const asked = choosesByModel(upstreams) ? requestedModel({ url, headers }, body) : '';
    const wanted = asked === '' ? requestedFormat({ url, headers }) : undefined;
    const { upstream, served: model } = destination(choose, upstreams, asked, wanted);
    const provider = stream ? undefined : retrievalOf(method ?? 'GET', path);
    if (provider && wireOf(upstream, provider) === provider)
      return { type: 'turn', turn: retrieved(provider, url), upstream, path: url, body };
    if (asked === model) return { type: 'pass', upstream, path: url, body: stream ?? body, count };
    return { type: 'pass', upstream, count, ...renameModel({ url, headers }, received, model) };
  }
  const model = route.address.model ?? (isObject(value) && typeof value.model === 'string' ? value.model : '');
  const { upstream, served } = destination(choose, upstreams, model);
  const { provider: own, address } = route;
  const wire = wireOf(upstream, own);
  const mode = modes.of(upstream, served);
  const learned = modes.adaptations(upstream, served);
  // Another API format, calls in text, or kinds of tools that the upstream doesn't have.
  const translates = wire !== own || mode.asks !== undefined || learned.plainTools || lacksTools(upstream, own, body);
  // Its bytes can be forwarded, but not be written again.
  if (translates && !isUtf8(body)) throw new WireError('', "isn't valid JSON in UTF-8");
  const portable =
    translates && portables.has(own.format) ? portableRequest(own.readRequest(value, address)) : undefined;
  // The response is translated back to the client's own kinds of calls.
  const responseId = wire !== own && own.format === 'openai-responses' ? makeId('resp_') : undefined;
  const client = portable && (responseId || portable.special) ? portableClient(own, portable, responseId) : own;
  const toolbox = (portable ? toolboxOf(asRead, portable) : toolboxOf(own, value)) ?? noTools;
  const { reads: dialect, asks } = toolbox.size > 0 ? mode : {};
  let read = portable?.request;
  const question = (): TurnRequest => {
    read ??= own.readRequest(value, address);
    return read;
  };
  const reads = dialect !== undefined && {
    dialect,
    context: () => contextOf(question().messages),
    taught: asks !== undefined,
    hosted: asks === undefined && isHosted(upstream.url),
  };
  const allows = allowedTools(value);
  const target = upstream.target ?? targets[wire.format];
  const adapted = wire === own ? learned : { ...translationDefaults(wire.format, target), ...learned };
  const turn = {
    client,
    wire,
    toolbox,
    model,
    upstreamModel: served,
    question,
    allows,
    adapted,
    session: sessionOf(value),
    streams: address.stream ?? asksForStream(own.format, value),
    ...(responseId && { responseId }),
    ...(asks && { asks }),
    ...(reads && { reads }),
  };
  if (wire === client && asks === undefined) {
    const { body: sound, changes } = repairHistory(client.format, value, body);
    const fitting = Object.keys(adapted).length > 0 ? adaptBody(client, sound, adapted, address) : sound;
    const edited = upstream.defaults || upstream.drop ? editBytes(fitting, upstream) : fitting;
    const isRenamed = served !== model;
    const sent = isRenamed ? renameIn(edited, served) : edited;
    const path = isRenamed ? renamePath(url, served) : url;
    return { type: 'turn', turn: { ...turn, warnings: changes }, upstream, path, body: sent };
  }
  return written(
    { ...turn, warnings: [] },
    { ...(asks === undefined ? question() : askInText(question(), asks).question), model: served },
    upstream,
    target,
  );
}

/** A turn whose response is stored at the upstream. */
const retrieved = (provider: Provider, url: string): TurnPlan['turn'] => ({
  client: provider,
  wire: provider,
  toolbox: noTools,
  model: '',
  upstreamModel: '',
  session: '',
  question: () => ({ model: '', messages: [] }),
  allows: () => true,
  adapted: {},
  warnings: [],
  retrieves: true,
  streams: /[?&]stream=true(?:&|$)/.test(url),
});

/** Whether the model of a request decides about its upstream or its name there. */
const choosesByModel = (upstreams: readonly Upstream[]): boolean =>
  upstreams.length > 1 || upstreams[0]?.model !== undefined || upstreams[0]?.fallbacks !== undefined;

/** The upstream for a model, and the name of the model there. */
function destination(
  choose: PlanContext['choose'],
  upstreams: readonly Upstream[],
  model: string,
  format?: Format,
): { readonly upstream: Upstream; readonly served: string } {
  if (!choosesByModel(upstreams)) return { upstream: choose(upstreams[0] as Upstream), served: model };
  const upstream = choose(selectUpstream(upstreams, model, format));
  return { upstream, served: upstreamModel(upstream, model) };
}

/** Rewrites a request in the upstream's API format. */
function written(turn: TurnPlan['turn'], question: TurnRequest, upstream: Upstream, target: LoweringTarget): TurnPlan {
  const { wire, client, adapted } = turn;
  const left: Warning[] = [];
  const asked = adaptRequest(question, adapted, wire.format === client.format ? undefined : target, left);
  const { request, warnings: fitted, undoEvent: undo } = fitTo(asked, target, wire.format);
  const { wire: full, warnings: lost } = wire.writeRequest(
    wire.format === 'openai-responses' ? withExplicitStrict(request) : request,
  );
  const body = wire.format === 'openai-chat' ? limitedBy(full, adapted) : full;
  const warnings = summarizeWarnings([...left, ...fitted, ...lost], request);
  return {
    type: 'turn',
    turn: { ...turn, undo, warnings },
    upstream,
    path: rootPath(wire, wire.pathOf(request)),
    body: Buffer.from(exactJson(editBody(body, upstream))),
  };
}

/** Whether a request asks for a stream in its body. Only Ollama streams by default. */
const asksForStream = (format: Format, body: JsonValue): boolean =>
  isObject(body) && (format === 'ollama' ? body.stream !== false : body.stream === true);

/** The client's own id of a session, in a field that agents use for it; otherwise empty. */
function sessionOf(body: JsonValue): string {
  if (!isObject(body)) return '';
  const { metadata, prompt_cache_key: key } = body;
  const user = isObject(metadata) ? metadata.user_id : undefined;
  return typeof user === 'string' ? user : typeof key === 'string' ? key : '';
}

/** The tools of a request; undefined if it has none. */
export type ToolboxOf = (provider: Pick<Provider, 'format' | 'readTools'>, body: unknown) => Toolbox | undefined;

/** Caches toolboxes, because all requests of a conversation have the same tools. */
export function toolboxCache(): ToolboxOf {
  const caches = new Map<Format, TextCache<Toolbox>>();
  return (provider, body) => {
    const tools = isObject(body) ? body.tools : undefined;
    if (!Array.isArray(tools) || tools.length === 0) return undefined;
    const toolboxes = cached(caches, provider.format, () => textCache<Toolbox>(100));
    return toolboxes(JSON.stringify(tools), () => toolboxOf(provider.readTools(tools)));
  };
}

function toolboxOf(all: ReturnType<Provider['readTools']>): Toolbox {
  const specs = all.filter((tool) => tool.type === 'function');
  const toolbox = new Toolbox(specs.map(toolFromSpec), { validate: false });
  setForeign(
    toolbox,
    all.flatMap((tool) => (tool.type === 'opaque' ? nameIn(tool.value) : [])),
  );
  return toolbox;
}

/** Name of a provider tool, if it has one. */
function nameIn(tool: unknown): string[] {
  if (!isObject(tool)) return [];
  const { name = isObject(tool.custom) ? tool.custom.name : undefined } = tool;
  return typeof name === 'string' ? [name] : [];
}

/** The API format for an upstream: the client's own if supported, else its first. */
const wireOf = ({ formats = [] }: Upstream, client: Provider): Provider =>
  formats.includes(client.format) ? client : wires[formats[0] ?? 'openai-chat'];

/**
 * The tools that a request's tool choice allows, in the client's API format: one forced tool, or a list. Without such a
 * choice, all are allowed.
 */
function allowedTools(body: unknown): (name: string) => boolean {
  let names: ReadonlySet<unknown> | undefined;
  return (name) => {
    names ??= isObject(body) ? chosenTools(body) : new Set();
    return names.size === 0 || names.has(name);
  };
}

function chosenTools(body: JsonObject): ReadonlySet<unknown> {
  const choice = at(body, 'tool_choice') ?? at(body, 'function_call') ?? {};
  const config = at(at(body, 'toolConfig', 'tool_config'), 'functionCallingConfig', 'function_calling_config');
  const listed = config?.allowedFunctionNames ?? config?.allowed_function_names ?? [];
  const { tools } = at(choice, 'allowed_tools') ?? choice;
  const names = new Set(Array.isArray(listed) ? listed : [listed]);
  for (const one of [choice, ...(Array.isArray(tools) ? tools : [])]) {
    const name = isObject(one) ? (at(one, 'function') ?? one).name : undefined;
    if (typeof name === 'string') names.add(name);
  }
  return names;
}

/** The object under the first of these keys that has one. */
function at(value: JsonObject | undefined, ...keys: readonly string[]): JsonObject | undefined {
  for (const key of keys) if (isObject(value?.[key])) return value[key];
  return undefined;
}
