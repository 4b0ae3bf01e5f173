import type { OutgoingHttpHeaders } from 'node:http';
import type { ReadCallsOptions } from '../../dialect/call-reader.ts';
import { dialectOf, rowsFor } from '../../dialect/detect.ts';
import { commonDialect } from '../../dialect/dialects/index.ts';
import { cached } from '../../json/text-cache.ts';
import { ToolmendError } from '../../json/toolmend-error.ts';
import type { Format } from '../../model/index.ts';
import { endpoint } from '../../provider/client/endpoint.ts';
import { ConfigurationValidationError } from '../../tools/config-error.ts';
import { type Upstream, upstreamName } from '../options.ts';
import { type DetectedFormats, detectAtAny } from './detect-formats.ts';
import { fetchJson, pageOf, unsent } from './http.ts';

/** How text is read. */
export type TextReads = ReadCallsOptions & { readonly dialect: string };

/** How calls in text are handled. */
interface TextMode {
  /** Dialect for reading calls in text; undefined to not read any. */
  readonly reads?: string;
  /** Dialect for describing tools in the prompt; undefined if the model supports tools. */
  readonly asks?: string;
}

/** How requests are adapted to a model, learned from its server's refusals and its responses. */
export interface Adaptations {
  /** Whether system text comes first, and neighbours of one role are joined. */
  readonly strictTurns?: boolean;
  /** Whether text after results is joined with them, too. */
  readonly joinsResults?: boolean;
  /** Whether system text is part of the first user message. */
  readonly withoutSystem?: boolean;
  /** Whether all tools are sent as functions. */
  readonly plainTools?: boolean;
  /** Whether the model thinks, so that effort and thinking are sent. */
  readonly reasoning?: boolean;
  /** Whether a request to not think is sent to any model. */
  readonly disablesReasoning?: boolean;
  /** Tokens of prompt and response together, and of the response. */
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  /** Tokens of a prompt for each estimated token. */
  readonly tokenRatio?: number;
  /** The field of the Chat API for the output limit. */
  readonly limitField?: 'max_tokens' | 'max_completion_tokens';
}

interface Known {
  takesNoTools: boolean;
  adaptations: Adaptations;
  /** The dialect of the chat template, once requested. */
  template?: Promise<string | undefined>;
  dialect?: string;
}

const kept = 1000;
const none: Adaptations = {};

/** What is known about the models of upstreams, detected once and cached while the proxy runs. */
export class TextModes {
  /** By URL and model. */
  readonly #known = new Map<string, Map<string, Known>>();
  /** Detections in progress by URL. */
  readonly #formats = new Map<string, Promise<DetectedFormats>>();
  readonly #told = new Map<string, Set<string>>();
  readonly #tell: (message: string) => void;

  constructor(upstreams: readonly Upstream[], tell: (message: string) => void = () => {}) {
    this.#tell = tell;
    const all = upstreams.flatMap((one) => [one, ...(one.fallbacks ?? [])]);
    for (const { dialect = 'auto' } of all) refuseUnknown(dialect);
  }

  of(upstream: Upstream, model: string): TextMode {
    const { dialect = 'auto', toolsInText = false } = upstream;
    if (dialect === 'native') return {};
    const known = this.#of(upstream, model);
    const reads = dialect === 'auto' ? (known.dialect ?? 'auto') : dialect;
    if (!toolsInText && !known.takesNoTools) return { reads };
    return { reads, asks: reads === 'auto' ? commonDialect : reads };
  }

  /** The warnings that weren't reported in a session before. */
  freshWarnings(session: string, warnings: readonly string[]): readonly string[] {
    if (warnings.length === 0) return warnings;
    const told = this.#told.get(session) ?? new Set();
    // Keeps the sessions that were used last.
    this.#told.delete(session);
    this.#told.set(session, told);
    if (this.#told.size > kept) this.#told.delete(this.#told.keys().next().value as string);
    const fresh = warnings.filter((warning) => !told.has(subjectOf(warning)));
    for (const warning of fresh) if (told.size < kept) told.add(subjectOf(warning));
    return fresh;
  }

  /** How requests to a model are adapted. The configuration comes before what was learned. */
  adaptations(upstream: Upstream, model: string): Adaptations {
    const { reasoning, contextWindow } = upstream;
    const { adaptations } = this.#of(upstream, model);
    if (reasoning === undefined && contextWindow === undefined) return adaptations;
    return {
      ...adaptations,
      ...(reasoning !== undefined && { reasoning }),
      // A smaller one that was learned is the real one.
      ...(contextWindow !== undefined && {
        contextWindow: Math.min(contextWindow, adaptations.contextWindow ?? contextWindow),
      }),
    };
  }

  /** Adapts further requests to a model. Returns false if they are already adapted in this way. */
  adapt(upstream: Upstream, model: string, change: Adaptations, notice?: string): boolean {
    const known = this.#of(upstream, model);
    const before = known.adaptations;
    const keys = Object.keys(change) as (keyof Adaptations)[];
    if (keys.every((key) => before[key] === change[key])) return false;
    known.adaptations = { ...before, ...change };
    const told = keys.every((key) => key === 'tokenRatio' || before[key] === change[key]);
    if (notice !== undefined && !told) this.#tell(`${nameOf(upstream, model)} ${notice}`);
    return true;
  }

  /** Detects the API formats of an upstream that didn't respond when the proxy started. */
  async findFormats(upstream: Upstream): Promise<void> {
    const { url, alternates = [], headers } = upstream;
    const found = this.#formats.get(url) ?? detectAtAny([url, ...alternates], { ...(headers && { headers }) });
    this.#formats.set(url, found);
    const { formats, target, why } = await found;
    this.#formats.delete(url);
    if (formats.length === 0) {
      const error = new ToolmendError('connection_failed', why);
      unsent.add(error);
      throw error;
    }
    Object.assign(upstream, { formats, target: upstream.target ?? target });
    this.#tell(`${upstreamName(upstream)} responds now: ${formats.join(', ')} (${why})`);
  }

  /** Records that an upstream doesn't have an API format. Returns false if it has no other. */
  lacks(upstream: Upstream, format: Format): boolean {
    const formats = upstream.formats?.filter((one) => one !== format) ?? [];
    if (formats.length === 0) return false;
    Object.assign(upstream, { formats });
    this.#tell(
      `${upstreamName(upstream)} doesn't have the API format ${format}: the proxy translates to ${formats[0]}`,
    );
    return true;
  }

  /**
   * Records that the upstream rejected tools for this model, so that they are described in the prompt from now on.
   * Returns false if text is never read.
   */
  refused(upstream: Upstream, model: string, why: string): boolean {
    if (upstream.dialect === 'native') return false;
    this.#of(upstream, model).takesNoTools = true;
    this.#tell(
      `${nameOf(upstream, model)} does not support tools (${why}): the proxy describes them in the prompt and reads calls from text`,
    );
    return true;
  }

  /** Detects the dialect from the model's chat template, with one request to the upstream. */
  async learn(upstream: Upstream, model: string, headers: OutgoingHttpHeaders): Promise<void> {
    if ((upstream.dialect ?? 'auto') !== 'auto') return;
    const known = this.#of(upstream, model);
    known.template ??= this.#ask(upstream, model, headers);
    const dialect = await known.template;
    if (dialect !== undefined) known.dialect = dialect;
  }

  async #ask(upstream: Upstream, model: string, headers: OutgoingHttpHeaders): Promise<string | undefined> {
    const found = await templateOf(upstream, model, headers);
    const dialect = found && dialectOf(found.template);
    const why = found
      ? `the chat template at ${found.where} shows ${dialect ?? 'no known dialect'}`
      : 'the server shows no chat template';
    this.#tell(`${nameOf(upstream, model)}: reading calls from text as ${dialect ?? 'auto'}, because ${why}`);
    return dialect;
  }

  #of({ url }: Upstream, model: string): Known {
    const models = cached(this.#known, url, () => new Map<string, Known>());
    const known = cached(models, model, (): Known => ({ takesNoTools: false, adaptations: none }));
    if (models.size > kept) models.delete(models.keys().next().value as string);
    return known;
  }
}

function refuseUnknown(dialect: string): void {
  try {
    if (dialect !== 'native') rowsFor(dialect);
  } catch (error) {
    const message = (error as Error).message;
    const fault = { field: 'dialect', message, fix: 'Use one of these, auto or native' };
    throw new ConfigurationValidationError(message, { configType: 'proxy', field: 'dialect', faults: [fault] });
  }
}

/** A warning without what changes as a conversation grows: numbers, and the list of fields without an effect. */
const subjectOf = (warning: string): string => warning.replace(/ \(\d+ times\)|^(not sent, .*?): .*/g, '$1');

const nameOf = (upstream: Upstream, model: string): string => `${model} at ${upstreamName(upstream)}`;

const patience = 3000;

/** A chat template, and where it was found. */
interface FoundTemplate {
  readonly template: string;
  readonly where: string;
}

/** Where servers expose a model's chat template, by API format. */
const places = [
  { format: 'ollama', path: () => '/api/show', field: 'template', asks: (model: string) => ({ body: { model } }) },
  {
    format: 'openai-chat',
    path: (model: string) => `/props?model=${encodeURIComponent(model)}`,
    field: 'chat_template',
    asks: () => ({}),
  },
] as const;

/** Requests a model's chat template; undefined if there is none or it takes too long. Never throws. */
async function templateOf(
  upstream: Upstream,
  model: string,
  headers: OutgoingHttpHeaders,
): Promise<FoundTemplate | undefined> {
  const base = new URL(upstream.url);
  // Local servers expose it; hosted services, which use TLS, don't.
  if (base.protocol !== 'http:') return undefined;
  base.pathname = base.pathname.replace(/\/v1\/?$/, '/');
  for (const { format, path, field, asks } of places) {
    if (!upstream.formats?.includes(format)) continue;
    const heard = await fetchJson(endpoint(base, path(model)), { headers, timeout: patience, ...asks(model) });
    const template = pageOf(heard)[field];
    if (typeof template === 'string') return { template, where: path('').replace(/\?.*/, '') };
  }
  return undefined;
}
